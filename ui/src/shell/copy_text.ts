import { toast } from "./toasts";

/** Copies a text and says so. `what`: "Command copied." */
export async function copyText(text: string, what: string): Promise<void> {
  const done = await written(text);
  if (done) toast({ text: what, tone: "success", seconds: 3, key: "copied" });
  else toast({ text: "This browser does not allow copying. Select the text and copy it yourself.", tone: "danger", key: "copied" });
}

async function written(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text); // not there on plain http from another machine
    return true;
  } catch {
    return false;
  }
}
