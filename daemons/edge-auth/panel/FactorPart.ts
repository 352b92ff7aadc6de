/** Second factor on the account page. Pure. */
import type { LanguageCode } from "#core/words/TextMemory.ts"
import { Redacted } from "effect"
import { h } from "preact"
import type { SecondFactor } from "../accounts/Exports.ts"
import { alert, field } from "../edge/pages/Page.ts"
import { words } from "../edge/pages/Words.ts"

export type FactorState =
  | { readonly _tag: "Off"; readonly problem?: string }
  | { readonly _tag: "On"; readonly problem?: string }
  /** The secret waits for its first code. */
  | { readonly _tag: "SettingUp"; readonly setup: SecondFactor.Setup; readonly problem?: string }
  /** Just confirmed; the recovery codes are shown this one time. */
  | { readonly _tag: "Begun"; readonly codes: ReadonlyArray<Redacted.Redacted> }

export const factorPart = (state: FactorState, language: LanguageCode, formToken: string) => {
  const t = words(language)
  const form = (act: string, button: string, ...fields: ReadonlyArray<ReturnType<typeof h>>) =>
    h(
      "form",
      { method: "post", action: `/account?lang=${language}`, class: "pair" },
      h("input", { type: "hidden", name: "form_token", value: formToken }),
      h("input", { type: "hidden", name: "act", value: act }),
      ...fields,
      h("button", { type: "submit" }, button)
    )
  switch (state._tag) {
    case "Off":
      return [
        h("p", null, t.factorOff),
        alert(state.problem),
        form(
          "begin_factor",
          t.setUp,
          field(t.password, { type: "password", name: "password", required: true, autocomplete: "current-password" })
        )
      ]
    case "On":
      return [
        h("p", { class: "good" }, t.factorOn),
        alert(state.problem),
        form(
          "end_factor",
          t.turnFactorOff,
          field(t.codeOrPassword, { type: "password", name: "proof", required: true, autocomplete: "off" })
        )
      ]
    case "SettingUp":
      return [
        h("p", null, t.scan),
        alert(state.problem),
        // Safe as HTML: our own SVG of rectangles and an escaped title.
        h("div", { dangerouslySetInnerHTML: { __html: Redacted.value(state.setup.picture) } }),
        h("p", null, `${t.secret}: `, h("code", null, Redacted.value(state.setup.secret).replace(/.{4}(?=.)/g, "$& "))),
        form(
          "confirm_factor",
          t.confirm,
          field(t.code, {
            name: "code",
            required: true,
            inputmode: "numeric",
            autocomplete: "one-time-code",
            maxlength: 32
          })
        )
      ]
    case "Begun":
      return [
        h("p", { class: "good", role: "status" }, t.factorOn),
        h("h3", null, t.recovery),
        h("p", null, t.recoveryHint),
        h("ul", null, ...state.codes.map((code) => h("li", null, h("code", null, Redacted.value(code))))),
        h("p", null, h("a", { href: `/account?lang=${language}` }, t.done))
      ]
  }
}
