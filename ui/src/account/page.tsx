import { useMe } from "../api";
import { Button, dayText, localDay, Section, Segmented } from "../parts";
import { PageFrame, setTheme, signOut, theme, themeChoices } from "../shell";
import { ChangePassword } from "./change_password";
import { DeleteAccount } from "./delete_account";
import { DemoData } from "./demo_data";
import { EmailAddress } from "./email_address";
import { SessionList } from "./session_list";
import { Usage } from "./usage";
import "./account.css";

export default function AccountPage() {
  const me = useMe();
  return (
    <PageFrame
      title="Account"
      actions={
        <Button icon="sign-out" onClick={() => void signOut()}>
          Sign out
        </Button>
      }
    >
      <Section title="You">
        <dl class="facts">
          {me.displayName && <Fact name="Name">{me.displayName}</Fact>}
          {me.email && <Fact name="E-mail address">{me.email}</Fact>}
          {me.createdAt && <Fact name="Since">{dayText(localDay(new Date(me.createdAt)), "year")}</Fact>}
          <Fact name="User id">
            <code>{me.userId}</code>
          </Fact>
        </dl>
      </Section>
      <Section title="Appearance">
        <Segmented label="Theme" value={theme.value} choices={themeChoices} onChange={setTheme} />
      </Section>
      <Section title="Calendar" intro="Time zone, reminders, import and export, other apps.">
        <a href="/calendar/settings">Calendar settings</a>
      </Section>
      <Usage />
      <DemoData />
      <Section title="For developers" intro="See how your data is stored.">
        <a href="/data">View your data</a>
      </Section>
      {me.email && (
        <Section title="E-mail address" intro="You sign in with it. Reminders and password resets are sent to it.">
          <EmailAddress />
        </Section>
      )}
      <Section title="Password" intro="Changing it signs you out everywhere else.">
        <ChangePassword email={me.email ?? ""} />
      </Section>
      <Section title="Sessions" intro="Where you are signed in. End any session you do not recognize.">
        <SessionList />
      </Section>
      <Section title="Delete the account" intro="Erases everything you have in Cairn, including its history.">
        <DeleteAccount />
      </Section>
    </PageFrame>
  );
}

function Fact({ name, children }: { name: string; children: preact.ComponentChildren }) {
  return (
    <div class="fact">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
