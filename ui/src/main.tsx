import "./styles/tokens.css";
import "./styles/base.css";
import { render } from "preact";
import { session } from "./api";
import { home, pages } from "./pages";
import { App, loadPage, matchPage } from "./shell";
import { SignInAgain } from "./sign_in/again";

// The code of the page comes while the server is asked who we are.
const first = matchPage(pages, location.pathname)?.entry;
if (first) loadPage(first).catch(() => undefined); // the shell asks again, and says what is wrong
void session.load();

render(<App pages={pages} home={home} signInAgain={SignInAgain} />, document.getElementById("app")!);
