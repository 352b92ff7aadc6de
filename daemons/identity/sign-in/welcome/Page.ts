/**
 * Page behind a one-time link, where a user sets a password at the first sign-in or after a reset. One self-contained
 * document; its style and script are allowed by hash. It contacts only this server and must not be framed.
 */
import { createHash } from "node:crypto"
import { Fragment, h } from "preact"
import { renderToString } from "preact-render-to-string"
import { HttpServerResponse } from "effect/http"
import { type Brand, defaultBrandName } from "#core/config/BrandSettings.ts"
import { guidePath } from "#core/gateway/FrontPage.ts"
import { always, defaultPolicy } from "#core/gateway/SecurityHeaders.ts"
import { brandHead, brandStyle, presentBrand } from "#core/html/Brand.ts"
import { escaped } from "#core/html/Escape.ts"
import { minPassword } from "#core/password/PasswordRules.ts"
import { consolePath } from "../../federation/Exports.ts"
import { script } from "./Script.ts"
import { type Words, wordsFor } from "./Words.ts"

/** Looks like the console's sign-in: the same colours, in a card. */
const style = `
:root {
  color-scheme: light dark; --ground: light-dark(#f6f7f9, #14171c); --card: light-dark(#fff, #1c2027);
  --text: light-dark(#1a1f27, #e8ebf0); --rule: light-dark(#d5dae1, #3a414d); --line: light-dark(#7d8794, #7b8694);
  --accent: light-dark(#0b57b0, #8ab8ff); --on: light-dark(#fff, #0b1f3a); --bad: light-dark(#b3211b, #ff9d96)
}
body {
  font: 1rem/1.5 system-ui, sans-serif; margin: 0; padding: 1rem; background: var(--ground); color: var(--text)
}
main {
  max-width: 26rem; margin: 8vh auto 0; padding: 1.8rem 2rem; background: var(--card); border: 1px solid var(--rule);
  border-radius: .5rem
}
@media (max-width: 30rem) { main { padding: 1.2rem; margin-top: 0 } }
h1 { font-size: 1.5rem; margin: 0 0 .5rem }
label { display: block; margin: 1rem 0 .25rem; font-weight: 600 }
input[type=password], input[type=text] {
  box-sizing: border-box; width: 100%; font: inherit; padding: .6rem .7rem;
  border: 1px solid var(--line); border-radius: .4rem; background: var(--card); color: inherit
}
input[aria-invalid=true] { border-color: var(--bad); outline-color: var(--bad) }
.choice { display: flex; gap: .5rem; align-items: center; margin: .75rem 0 1.25rem; font-weight: 400 }
button {
  font: inherit; font-weight: 600; padding: .6rem 1.2rem; border: 0; border-radius: .4rem;
  background: var(--accent); color: var(--on); cursor: pointer
}
button:disabled { opacity: .6; cursor: default }
a { color: var(--accent) }
#message { color: var(--bad); min-height: 1.5em }
[hidden] { display: none }
${brandStyle}`

const hashOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`

/** Content security policy: the page's own style and script, requests to this server, and the logo if there is one. */
const policy = ({ brandLogo }: Brand) =>
  `${defaultPolicy}; style-src ${hashOf(style)}; script-src ${hashOf(script)}; connect-src 'self'` +
  (brandLogo === undefined ? "" : "; img-src data:")

/**
 * Attributes such as `data-broken-password_too_short="…"`, which the script reads as
 * `dataset["brokenPassword_too_short"]`.
 */
const brokenRules = ({ broken }: Words) =>
  Object.entries(broken)
    .map(([code, text]) => ` data-broken-${code}="${escaped(text)}"`)
    .join("")

/** Renders the page in one language, with the brand of the installation. */
export const render = (words: Words, brand: Brand = presentBrand()): string => {
  const title = escaped(words.title.replace(defaultBrandName, () => brand.brandName))
  return `<!DOCTYPE html>
<html lang="${escaped(words.lang)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main
  data-working="${escaped(words.working)}" data-differ="${escaped(words.differ)}"
  data-no-token="${escaped(words.noToken)}"
  data-bad-link="${escaped(words.badLink)}" data-failed="${escaped(words.failed)}"
  data-signed-in="${escaped(words.signedIn)}"
  data-has-password="${escaped(words.hasPassword)}"${brokenRules(words)}>
${renderToString(h(Fragment, null, ...brandHead(brand)))}
<h1>${title}</h1>
<noscript><p>${escaped(words.noScript)}</p></noscript>
<form id="form" hidden>
<p>${escaped(words.intro)}</p>
<input id="username" type="text" name="username" autocomplete="username" hidden>
<label for="password">${escaped(words.password)}</label>
<input id="password" type="password" name="password" autocomplete="new-password" minlength="${minPassword}" required
  aria-describedby="rules message">
<p id="rules"><small>${escaped(words.rules)}</small></p>
<label for="repeat">${escaped(words.repeat)}</label>
<input id="repeat" type="password" name="repeat" autocomplete="new-password" required aria-describedby="message">
<label class="choice"><input id="show" type="checkbox"> ${escaped(words.show)}</label>
<button id="submit">${escaped(words.submit)}</button>
</form>
<p id="message" role="status" aria-live="polite"></p>
<section id="done" hidden>
<h2 id="heading" tabindex="-1"><span id="what">${escaped(words.done)}</span> <span id="email"></span></h2>
<ul id="next">
${words.next.map((line) => `<li>${escaped(line)}</li>`).join("\n")}
</ul>
<p><a id="console" href="${consolePath}">${escaped(words.console)}</a> ·
<a href="${guidePath}">${escaped(words.guide)}</a> · <a href="/docs">${escaped(words.docs)}</a></p>
</section>
</main>
<script>${script}</script>
</body>
</html>
`
}

/**
 * The page in the requested language. It is the same for every user, because the token in the fragment never reaches
 * the server.
 */
export const welcome = (acceptLanguage: string | undefined): HttpServerResponse.HttpServerResponse => {
  const words = wordsFor(acceptLanguage)
  return HttpServerResponse.text(render(words), {
    contentType: "text/html; charset=utf-8",
    headers: {
      // Needed without the gateway, which otherwise adds these headers.
      ...always,
      "content-security-policy": policy(presentBrand()),
      "content-language": words.lang,
      vary: "accept-language",
      "cache-control": "no-store"
    }
  })
}
