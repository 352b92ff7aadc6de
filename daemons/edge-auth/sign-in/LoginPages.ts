/** Pages for sign-in, code and registration. Pure. */
import type { LanguageCode } from "#core/words/TextMemory.ts"
import { h } from "preact"
import { alert, field, page, submit } from "../edge/pages/Page.ts"
import { words } from "../edge/pages/Words.ts"

export interface LoginPage {
  readonly language: LanguageCode
  readonly formToken: string
  /** Checked return address. */
  readonly wanted: string | undefined
  readonly formTargets: ReadonlyArray<string>
  readonly problem?: string | undefined
  /** Message about a success before. */
  readonly told?: string | undefined
  readonly status?: number
  readonly email?: string
  readonly headers?: Readonly<Record<string, string>>
}

const withReturn = (path: string, wanted: string | undefined, language: LanguageCode): string => {
  const query = new URLSearchParams({ ...(wanted === undefined ? {} : { rd: wanted }), lang: language })
  return `${path}?${query}`
}

export const loginPage = ({
  email = "",
  formTargets,
  formToken,
  headers = {},
  language,
  problem,
  status = 200,
  told,
  wanted
}: LoginPage) => {
  const t = words(language)
  return page(
    { language, title: t.login, status, formTargets, headers, address: (one) => withReturn("/login", wanted, one) },
    wanted === undefined ? null : h("p", null, t.to({ host: new URL(wanted).host })),
    told === undefined ? null : h("p", { class: "good", role: "status" }, told),
    alert(problem),
    h(
      "form",
      { method: "post", action: withReturn("/login", wanted, language) },
      h("input", { type: "hidden", name: "form_token", value: formToken }),
      field(t.email, {
        type: "email",
        name: "email",
        required: true,
        autocomplete: "username",
        value: email,
        autofocus: email === ""
      }),
      field(t.password, {
        type: "password",
        name: "password",
        required: true,
        autocomplete: "current-password",
        autofocus: email !== ""
      }),
      submit(t.login)
    ),
    h("p", null, t.noAccount, " ", h("a", { href: withReturn("/register", wanted, language) }, t.register))
  )
}

/** Page that asks for the code of a second factor. `half`: token of the half-done sign-in. */
export const codePage = ({
  formTargets,
  formToken,
  half,
  headers = {},
  language,
  problem,
  status = 200,
  wanted
}: LoginPage & { readonly half: string }) => {
  const t = words(language)
  return page(
    { language, title: t.code, status, formTargets, headers, address: (one) => withReturn("/login", wanted, one) },
    alert(problem),
    h(
      "form",
      { method: "post", action: withReturn("/login", wanted, language) },
      h("input", { type: "hidden", name: "form_token", value: formToken }),
      h("input", { type: "hidden", name: "half", value: half }),
      field(
        t.code,
        {
          name: "code",
          required: true,
          autocomplete: "one-time-code",
          autocapitalize: "off",
          spellcheck: false,
          maxlength: 32,
          autofocus: true
        },
        t.codeHint
      ),
      submit(t.login)
    ),
    h("p", null, h("a", { href: withReturn("/login", wanted, language) }, t.beginAnew))
  )
}

/** Page that asks before it signs out. */
export const logoutPage = ({
  formToken,
  headers = {},
  language,
  problem,
  status = 200
}: Pick<LoginPage, "formToken" | "headers" | "language" | "problem" | "status">) => {
  const t = words(language)
  return page(
    { language, title: t.signOut, status, headers },
    alert(problem),
    h("p", null, t.confirmSignOut),
    h(
      "form",
      { method: "post", action: withReturn("/logout", undefined, language) },
      h("input", { type: "hidden", name: "form_token", value: formToken }),
      submit(t.signOut)
    )
  )
}

export interface RegisterPage extends Omit<LoginPage, "email" | "told"> {
  readonly typed?: { readonly email: string; readonly name: string }
  /** Token of the one-time link of the first user. */
  readonly first?: string | undefined
}

export const registerPage = ({
  first,
  formTargets,
  formToken,
  headers = {},
  language,
  problem,
  status = 200,
  typed = { email: "", name: "" },
  wanted
}: RegisterPage) => {
  const t = words(language)
  const here = (one: LanguageCode) =>
    withReturn("/register", wanted, one) + (first === undefined ? "" : `&first=${encodeURIComponent(first)}`)
  return page(
    { language, title: t.register, status, formTargets, headers, address: here },
    alert(problem),
    h(
      "form",
      { method: "post", action: here(language) },
      h("input", { type: "hidden", name: "form_token", value: formToken }),
      field(t.name, { name: "name", required: true, maxlength: 100, autocomplete: "name", value: typed.name }),
      field(t.email, { type: "email", name: "email", required: true, autocomplete: "username", value: typed.email }),
      field(
        t.password,
        { type: "password", name: "password", required: true, minlength: 10, autocomplete: "new-password" },
        t.passwordHint
      ),
      submit(t.register)
    ),
    h("p", null, t.haveAccount, " ", h("a", { href: withReturn("/login", wanted, language) }, t.login))
  )
}
