import { useEffect, useState } from "preact/hooks";

/** What the link of a mail carries behind '#', taken out of the address so that it stays in no history; "": nothing. */
export function useLinkToken(): string {
  const [token, setToken] = useState(takeToken);
  useEffect(() => {
    // Another link, opened where this page is already.
    const onHashChange = () => setToken((before) => takeToken() || before);
    addEventListener("hashchange", onHashChange);
    return () => removeEventListener("hashchange", onHashChange);
  }, []);
  return token;
}

function takeToken(): string {
  const token = location.hash.slice(1);
  if (location.hash !== "") history.replaceState(null, "", location.pathname + location.search);
  return token;
}
