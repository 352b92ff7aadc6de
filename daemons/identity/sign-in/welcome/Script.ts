/**
 * Script of the welcome page. It contains no texts; the page provides them. It reads the token from the fragment and
 * removes it from the address at once. The token and the session's tokens are kept in variables only.
 */
export const script = `
"use strict";
const page = document.querySelector("main").dataset;
const part = (id) => document.getElementById(id);
const form = part("form"), first = part("password"), second = part("repeat");
const message = part("message"), button = part("submit");
let token = location.hash.slice(1), access;
// A user who returns from an external provider is signed in there and needs no password here.
const signedInOutside = new URLSearchParams(location.search).has("return_to");
history.replaceState(null, "", location.pathname);

const showMessage = (text, field) => {
  message.textContent = text;
  for (const input of [first, second]) input.removeAttribute("aria-invalid");
  if (field) { field.setAttribute("aria-invalid", "true"); field.focus(); }
};

const post = (path, body) => fetch(path, {
  method: "POST",
  cache: "no-store",
  credentials: "omit",
  headers: { "content-type": "application/json", ...(access ? { authorization: "Bearer " + access } : {}) },
  body: JSON.stringify(body)
});

const signIn = async () => {
  const answer = await post("link", { token });
  if (answer.status === 401 || answer.status === 422) { form.hidden = true; showMessage(page.badLink); return false; }
  if (!answer.ok) { showMessage(page.failed); return false; }
  access = (await answer.json()).access_token;
  token = "";
  return true;
};

// Returns the page's translated text for a refused password; texts of the answer are English. A dataset name turns
// "-p" into "P".
const textOf = ({ code, field }) =>
  field.endsWith("current_password")
    ? page.hasPassword
    : page["broken" + (code ? code[0].toUpperCase() + code.slice(1) : "")] || part("rules").textContent;

const setPassword = async () => {
  const answer = await post("password", { new_password: first.value });
  if (answer.status === 422) { showMessage(textOf((await answer.json()).errors[0]), first); return; }
  if (!answer.ok) { showMessage(page.failed); return; }
  access = (await answer.json()).access_token;
  await showAccount();
};

const showAccount = async () => {
  const headers = { authorization: "Bearer " + access };
  const me = await fetch("me", { cache: "no-store", credentials: "omit", headers });
  const email = me.ok ? (await me.json()).email : "";
  part("username").value = email;
  part("email").textContent = email;
  form.hidden = true;
  first.value = second.value = "";
  showMessage("");
  part("done").hidden = false;
  part("heading").focus();
};

const signInReturningUser = async () => {
  showMessage(page.working);
  try {
    if (!await signIn()) return;
    part("what").textContent = page.signedIn;
    part("next").hidden = true;
    await showAccount();
  } catch {
    showMessage(page.failed);
  }
};

part("show").addEventListener("change", (event) => {
  first.type = second.type = event.target.checked ? "text" : "password";
});

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (first.value !== second.value) return showMessage(page.differ, second);
  button.disabled = true;
  showMessage(page.working);
  try {
    if (access || await signIn()) await setPassword();
  } catch {
    showMessage(page.failed);
  } finally {
    button.disabled = false;
  }
});

if (token === "") showMessage(page.noToken);
else if (signedInOutside) signInReturningUser();
else form.hidden = false;
`
