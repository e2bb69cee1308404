import { useEffect, useState } from "preact/hooks";
import { api } from "../api";

/** Whether this server sends mails about accounts; undefined while nobody knows. */
export function useSendsMail(): boolean | undefined {
  const [sendsMail, setSendsMail] = useState<boolean | undefined>(undefined);
  useEffect(() => {
    let isShown = true;
    api.get("/api/auth/options").then(
      (options) => isShown && setSendsMail(options.sendsMail),
      () => undefined, // then nothing is offered; whatever is asked for next says what is wrong
    );
    return () => {
      isShown = false;
    };
  }, []);
  return sendsMail;
}
