/**
 * Pages to subscribe, confirm and unsubscribe, as complete answers including the status. Pure. Links in mails lead to
 * pages that change something only by their button, because mail scanners open links too.
 */
import { type ComponentChildren, h } from "preact"
import type { HttpServerResponse } from "effect/http"
import type { LanguageCode } from "#core/words/TextMemory.ts"
import { answer, subscribeForm, type SubscribeForm, type SubscribeProblem, words } from "../publication/Exports.ts"

type Answer = HttpServerResponse.HttpServerResponse

const statusOf: Readonly<Record<SubscribeProblem, number>> = {
  email: 422,
  lang: 422,
  components: 422,
  too_many: 429,
  unavailable: 503
}

/** `GET /subscribe`: the form. Also the answer to a refused form: 422 with the problem at its field, 429, 503. */
export const subscribePage = (options: SubscribeForm): Answer => {
  const { language, problem } = options
  const t = words(language)
  return answer(
    {
      language,
      title: t.subscribe,
      address: (one) => `/subscribe?lang=${one}`,
      status: problem === undefined ? 200 : statusOf[problem]
    },
    h(
      "section",
      { class: "card slim" },
      h("h1", null, t.subscribe),
      h("p", null, t.subscribeText),
      subscribeForm(options)
    )
  )
}

/** Answer to an accepted form; does not reveal whether the address was known. `hours`: validity of the link. */
export const mailboxPage = ({
  email,
  hours,
  language
}: {
  readonly language: LanguageCode
  readonly email: string
  readonly hours: number
}): Answer => {
  const t = words(language)
  return resultPage(
    language,
    t.mailbox,
    "good",
    h("p", null, t.mailboxText({ email, hours })),
    h("p", { class: "soft" }, t.mailboxHint)
  )
}

interface Linked {
  readonly language: LanguageCode
  /** Token of the link. */
  readonly token: string
}

/** `GET /subscribe/confirm?token=…`: its button posts to the same address. */
export const confirmPage = (linked: Linked): Answer => {
  const t = words(linked.language)
  return questionPage("/subscribe/confirm", linked, t.confirm, t.confirmText, t.confirmButton)
}

export const confirmedPage = ({ language }: { readonly language: LanguageCode }): Answer =>
  resultPage(language, words(language).confirmed, "good", h("p", null, words(language).confirmedText))

/** `GET /unsubscribe?token=…`: its button posts to the same address. */
export const unsubscribePage = (linked: Linked): Answer => {
  const t = words(linked.language)
  return questionPage("/unsubscribe", linked, t.unsubscribe, t.unsubscribeText, t.unsubscribeButton)
}

export const unsubscribedPage = ({ language }: { readonly language: LanguageCode }): Answer => {
  const t = words(language)
  return resultPage(
    language,
    t.unsubscribed,
    "good",
    h("p", null, t.unsubscribedText),
    h("p", null, h("a", { href: `/subscribe?lang=${language}` }, t.subscribeAgain))
  )
}

/** 410: the token is used, expired or unknown. */
export const linkGonePage = ({ language }: { readonly language: LanguageCode }): Answer => {
  const t = words(language)
  return answer(
    { language, title: t.gone, status: 410, address: (one) => `/subscribe?lang=${one}` },
    card(
      language,
      t.gone,
      "bad",
      h("p", null, t.goneText, " ", h("a", { href: `/subscribe?lang=${language}` }, t.goneNext))
    )
  )
}

/** 503: MAIL_FROM or SMTP_HOST is not set. */
export const notConfiguredPage = ({ language }: { readonly language: LanguageCode }): Answer => {
  const t = words(language)
  return answer(
    { language, title: t.notConfigured, status: 503, address: (one) => `/subscribe?lang=${one}` },
    card(
      language,
      t.notConfigured,
      "bad",
      h("p", null, t.notConfiguredText),
      h("p", null, h("a", { href: `/feed.atom?lang=${language}` }, t.feed))
    )
  )
}

const questionPage = (
  path: string,
  { language, token }: Linked,
  title: string,
  text: string,
  button: string
): Answer => {
  const address = (one: LanguageCode) => `${path}?${new URLSearchParams({ token, lang: one })}`
  return answer(
    { language, title, address },
    h(
      "section",
      { class: "card slim" },
      h("h1", null, title),
      h("p", null, text),
      h(
        "form",
        { method: "post", action: address(language) },
        h("button", { type: "submit", class: "primary" }, button)
      )
    )
  )
}

/** Answer to a POST. Its language links lead to the form, because the address itself cannot be opened. */
const resultPage = (
  language: LanguageCode,
  title: string,
  mood: "good" | "bad",
  ...children: ReadonlyArray<ComponentChildren>
): Answer =>
  answer({ language, title, address: (one) => `/subscribe?lang=${one}` }, card(language, title, mood, ...children))

const card = (
  language: LanguageCode,
  title: string,
  mood: "good" | "bad",
  ...children: ReadonlyArray<ComponentChildren>
) =>
  h(
    "section",
    { class: `card slim ${mood}` },
    h("h1", null, title),
    ...children,
    h("p", null, h("a", { href: `/?lang=${language}` }, words(language).toStatus))
  )
