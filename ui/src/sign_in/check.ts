// What can be said about a form before the server is asked. The server has the last word.

export function checkSignIn(fields: { email: string; password: string }) {
  return {
    email: fields.email.trim() === "" ? "Enter your e-mail address." : undefined,
    password: fields.password === "" ? "Enter your password." : undefined,
  };
}

export function checkSignUp(fields: { email: string; password: string }) {
  const email = fields.email.trim();
  const isAddress = /^\S+@\S+$/.test(email);
  return {
    email: email === "" ? "Enter your e-mail address." : isAddress ? undefined : "Enter an address such as ada@example.org.",
    password: [...fields.password].length < 8 ? "Use at least 8 characters." : undefined,
  };
}
