/**
 * Subscription form, on the status page and on its own page. Posts `email`, `lang`, and `components` once per ticked
 * component.
 */
import { h } from "preact"
import { type LanguageCode, offeredLanguages } from "#core/words/TextMemory.ts"
import type { Component } from "../../status/Model.ts"
import { nameOf } from "./Localised.ts"
import { words } from "./Words.ts"

/** Problem of a submitted form: the wrong field, or why the request was refused. */
export type SubscribeProblem = "email" | "lang" | "components" | "too_many" | "unavailable"

/** Submitted values, shown again beside the problem. */
export interface SubscribeTyped {
  readonly email: string
  readonly lang: LanguageCode
  readonly components: ReadonlyArray<string>
}

export interface SubscribeForm {
  readonly language: LanguageCode
  /** Components of SERVICES_FILE to choose from. */
  readonly components: ReadonlyArray<Pick<Component, "id" | "name" | "name_en">>
  readonly typed?: SubscribeTyped | undefined
  readonly problem?: SubscribeProblem | undefined
}

/** Longest address. Unit: characters. Source: RFC 5321 §4.5.3.1.3. */
const maxEmail = 254

export const subscribeForm = ({
  components,
  language,
  problem,
  typed = { email: "", lang: language, components: [] }
}: SubscribeForm) => {
  const t = words(language)
  const told = (field: SubscribeProblem) =>
    problem === field ? h("span", { class: "error", id: `problem-${field}`, role: "alert" }, t.problem[field]) : null
  const wrong = (field: SubscribeProblem) =>
    problem === field ? { "aria-invalid": "true", "aria-describedby": `problem-${field}`, autofocus: true } : {}
  return h(
    "form",
    { method: "post", action: `/subscribe?lang=${language}`, class: "subscribe" },
    problem === "too_many" || problem === "unavailable"
      ? h("p", { class: "error", role: "alert" }, t.problem[problem])
      : null,
    h(
      "div",
      { class: "fields" },
      h(
        "div",
        null,
        h("label", { for: "email" }, t.email),
        h("input", {
          id: "email",
          name: "email",
          type: "email",
          required: true,
          maxlength: maxEmail,
          autocomplete: "email",
          value: typed.email,
          ...wrong("email")
        }),
        told("email")
      ),
      h(
        "div",
        null,
        h("label", { for: "mail-lang" }, t.mailLanguage),
        h(
          "select",
          { id: "mail-lang", name: "lang", ...wrong("lang") },
          ...offeredLanguages().map(({ code, label }) =>
            h("option", { value: code, lang: code, selected: code === typed.lang }, label)
          )
        ),
        told("lang")
      )
    ),
    components.length === 0
      ? null
      : h(
          "details",
          { class: "which", open: problem === "components" || typed.components.length > 0 },
          h("summary", null, t.which),
          h(
            "fieldset",
            null,
            h("legend", null, t.whichHint),
            told("components"),
            ...components.map((component) =>
              h(
                "label",
                { class: "tick" },
                h("input", {
                  type: "checkbox",
                  name: "components",
                  value: component.id,
                  checked: typed.components.includes(component.id)
                }),
                h("span", null, nameOf(component, language))
              )
            )
          )
        ),
    h("button", { type: "submit", class: "primary" }, t.subscribeShort)
  )
}
