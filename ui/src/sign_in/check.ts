// What can be said about a form before the server is asked. The server has the last word.

export function checkSignIn(fields: { email: string; password: string }) {
  return {
    email: fields.email.trim() === "" ? "Type your e-mail address." : undefined,
    password: fields.password === "" ? "Type your password." : undefined,
  };
}

export function checkSignUp(fields: { email: string; password: string }) {
  const email = fields.email.trim();
  const isAddress = /^\S+@\S+$/.test(email);
  return {
    email: email === "" ? "Type your e-mail address." : isAddress ? undefined : "An e-mail address looks like ada@example.org.",
    password: [...fields.password].length < 8 ? "Use at least 8 characters." : undefined,
  };
}
