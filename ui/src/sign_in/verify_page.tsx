import { useState } from "preact/hooks";
import { api, session } from "../api";
import { Button, Notice } from "../parts";
import { useRequest } from "../state";
import { Card } from "./card";
import { useLinkToken } from "./use_link_token";

/** Asks for a press: programs that look at mails open every link in them. */
export default function VerifyPage() {
  const token = useLinkToken();
  return <Verification key={token} token={token} />;
}

function Verification({ token }: { token: string }) {
  const [confirmed, setConfirmed] = useState<string | null>(null);
  const confirmation = useRequest(async () => {
    const { email } = await api.post("/api/auth/email/verify", { body: { token } });
    setConfirmed(email);
    void session.load(); // whoever is signed in sees it at once
  });
  return (
    <Card title="Confirm your e-mail address" switchTo={<a href="/">Go to Cairn</a>}>
      {confirmed !== null ? (
        <Notice tone="success" title="Thank you.">
          <strong>{confirmed}</strong> is confirmed.
        </Notice>
      ) : token === "" ? (
        <Notice tone="warning">This address is incomplete. Open the link from the e-mail again.</Notice>
      ) : (
        <div class="stack">
          {confirmation.problem !== null && <Notice tone="danger">{confirmation.problem}</Notice>}
          <p class="soft">Confirm that you receive e-mails at this address.</p>
          <Button variant="primary" busy={confirmation.busy} onClick={confirmation.run}>
            Confirm
          </Button>
        </div>
      )}
    </Card>
  );
}
