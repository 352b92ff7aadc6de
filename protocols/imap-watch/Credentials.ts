/**
 * Chooses the login command of a connection: by password, or with the first SASL mechanism for tokens that the server
 * offers. Pure. Sources: RFC 3501 §6.2, RFC 4959.
 */
import { Redacted, Result } from "effect"
import * as Commands from "./Commands.ts"

/**
 * Login with a SASL mechanism. `response`: the client's message in base64. `errorAnswer`: the client's answer to the
 * server's error challenge.
 */
export interface SaslLogin {
  readonly _tag: "Sasl"
  readonly mechanism: string
  readonly response: Redacted.Redacted
  readonly errorAnswer: string
}

/** `Offered`: uses the first login whose mechanism the server offers. */
export type Login =
  | { readonly _tag: "Password"; readonly user: string; readonly password: Redacted.Redacted }
  | SaslLogin
  | { readonly _tag: "Offered"; readonly of: ReadonlyArray<SaslLogin> }

/** The login command for the offered capabilities; fails with a text when none is possible. */
export const credentials = (login: Login, offered: ReadonlySet<string>): Result.Result<Commands.Command, string> => {
  if (login._tag === "Password") return Commands.login(login.user, Redacted.value(login.password))
  const sasl = login._tag === "Sasl" ? login : login.of.find(({ mechanism }) => offered.has(`AUTH=${mechanism}`))
  return sasl === undefined
    ? Result.fail("the server offers no way to sign in with a token")
    : Commands.authenticate(sasl.mechanism, Redacted.value(sasl.response), sasl.errorAnswer, offered.has("SASL-IR"))
}
