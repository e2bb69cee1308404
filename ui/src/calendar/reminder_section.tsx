import { Section } from "../parts";
import type { NexusSettings } from "./calendar_types";
import { EmailReminders } from "./email_reminders";
import type { KnownSettings } from "./use_nexus_settings";
import { WebhookForm } from "./webhook_form";

interface ReminderSectionProps {
  known: NexusSettings;
  settings: KnownSettings;
}

/** Ways that the operator allows; one that was set before it was forbidden can still be ended. */
export function ReminderSection({ known, settings }: ReminderSectionProps) {
  const hasEmail = known.offersEmail || known.notifyEmail;
  const hasWebhook = known.offersWebhook || known.webhookUrl !== undefined;
  return (
    <Section title="Notifications" intro="Where reminders are sent when Cairn is not open.">
      <div class="stack settings-ways">
        {hasEmail && <EmailReminders known={known} keep={settings.keep} />}
        {hasWebhook && <WebhookForm known={known} settings={settings} />}
        {!hasEmail && !hasWebhook && (
          <p class="soft">
            This server does not send notifications. Its operator can turn them on with <code>--webhooks public</code> and{" "}
            <code>--smtp-url</code>.
          </p>
        )}
      </div>
    </Section>
  );
}
