/**
 * The words of the audit log, compared with the sources that write it. Actions that are composed at run time are listed
 * by hand in `composed`.
 */
import "#support/console/PageGlobals.ts"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { readSourceTree } from "#support/SourceTree.ts"
import { chosen } from "../../../../console/lib/Language.ts"
import { actionTitle, knownAction } from "../../../../console/pages/audit/ActionWords.ts"
import { detailTitle, detailValue, knownDetail } from "../../../../console/pages/audit/DetailWords.ts"
import { knownObject, objectTitle } from "../../../../console/pages/audit/ObjectWords.ts"

const sources = readSourceTree(join(import.meta.dirname, "../../../.."))
  .filter(({ path }) => path.startsWith("daemons/") || path.startsWith("core/"))
  .filter(({ text }) =>
    /log\/(?:Audit|ChangeNote|RefusalLog)\.ts|[aA]udit|\bnoted?\(|recordChange\(|\bchanged\(/.test(text)
  )

/** Calls that write entries, up to the end of their first object or call. */
const calls = (text: string): ReadonlyArray<string> =>
  [
    ...text.matchAll(
      /\b(?:writeAudit|audit|audited|noted?|changed|recordChange|noteChange|tell)\(([^;(){}]*(?:\{[^{}]*\})?)/g
    )
  ].map(([, given]) => given!)

/** Actions in one source file. */
const actionsIn = ({ path, text }: { readonly path: string; readonly text: string }): ReadonlyArray<string> => {
  const prefix = path.startsWith("daemons/edge-auth/") ? "edge_" : ""
  const account = path.startsWith("daemons/bank-fetcher/accounts/") ? "bank_account" : undefined
  const literal = /Audit/.test(text)
    ? [...text.matchAll(/\baction:[^,]*?"([a-z_]+\.[a-z_]+)"/g)].map(([, one]) => one!)
    : []
  const called = calls(text).flatMap((given) => {
    const whole = [...given.matchAll(/"([a-z_]+\.[a-z_]+)"/g)].map(([, one]) => prefix + one!)
    const [, entity, change] = /^\s*"([a-z_]+)",[^"]*"([a-z_]+)"/.exec(given) ?? []
    const ofAccount = account === undefined ? undefined : /^\s*\w+,\s*"([a-z_]+)"/.exec(given)?.[1]
    return [
      ...whole,
      ...(entity === undefined ? [] : [`${entity}.${change}`]),
      ...(ofAccount === undefined ? [] : [`${account}.${ofAccount}`])
    ]
  })
  const refused = [...text.matchAll(/(?:tell|recordRefusal)\(\{\s*kind: "([a-z_]+)"/g)].map(
    ([, one]) => `refused.${one}`
  )
  return [...literal, ...called, ...refused]
}

/** Names of details in one source file. */
const detailsIn = ({ text }: { readonly text: string }): ReadonlyArray<string> =>
  [...text.matchAll(/\bdetail: \{([^{}]*)\}/g), ...calls(text).map((given) => /\{([^{}]*)\}/.exec(given) ?? [])]
    .flatMap(([, members = ""]) => members.split(","))
    .flatMap((member) => /^\s*([a-z_\d]+)\s*(?::|$)/.exec(member)?.[1] ?? [])

/** Actions whose code is put together at run time. */
const composed = [
  "alert.acknowledged",
  "backup_job.backup_requested",
  "backup_job.drill_requested",
  "backup_schedule.changed",
  "bank_batch.done",
  "bank_transaction.matched",
  "customer.created",
  "dns_plan.begun",
  "domain.checked",
  "edge_user.blocked",
  "invoice.cancelled",
  "mail_folder.created",
  "monitoring_check.added",
  "refused.password",
  "refused.second_factor",
  "service.log_read",
  "translation_rebuild.done",
  "webmail_account.made_default"
]

/** Members of other calls of the same names, which write no entry. */
const others = new Set([
  "mail_account.active",
  "actor",
  "at",
  "attached",
  "detail",
  "entity",
  "id",
  "mode",
  "remove",
  "step",
  "tenant_id"
])

const actions = [...new Set([...sources.flatMap(actionsIn), ...composed])].filter((one) => !others.has(one)).toSorted()

describe.each(["de", "en"])("in %s", (language) => {
  it("every action that the sources write has words", () => {
    chosen.value = language
    expect(actions.length).toBeGreaterThan(150)
    expect(actions.filter((action) => knownAction(action) === undefined)).toEqual([])
  })

  it("every kind of object has words", () => {
    chosen.value = language
    const kinds = new Set(
      sources.flatMap(({ text }) => [...text.matchAll(/\bentity: "([a-z_]+)"/g)].map(([, one]) => one!))
    )
    expect([...kinds].filter((kind) => knownObject(kind) === undefined)).toEqual([])
  })

  it("every detail has a name", () => {
    chosen.value = language
    const details = [...new Set(sources.flatMap(detailsIn))].toSorted()
    expect(details.length).toBeGreaterThan(80)
    expect(details.filter((name) => !others.has(name) && knownDetail(name) === undefined)).toEqual([])
  })
})

it("reads as words, and keeps what it does not know", () => {
  chosen.value = "de"
  expect(actionTitle("user.created")).toBe("Benutzer angelegt")
  expect(actionTitle("session.opened")).toBe("Angemeldet")
  expect(actionTitle("user.password_set")).toBe("Benutzer: Passwort gesetzt")
  expect(actionTitle("thing.changed")).toBe("thing.changed")
  expect(objectTitle("mail_domain")).toBe("Mail-Domain")
  expect(objectTitle("constructor")).toBe("constructor")
  expect([detailTitle("methods"), detailTitle("thing")]).toEqual(["Angemeldet mit", "thing"])
  expect(detailValue("methods", ["password", "totp"])).toBe("Passwort, Authenticator-App")
  expect(detailValue("role", { from: "user", to: "admin" })).toBe("Benutzer → Administration")
  expect(detailValue("force", true)).toBe("ja")
  expect(detailValue("name", "role")).toBe("role")
  chosen.value = "en"
  expect(actionTitle("refused.password")).toBe("Password refused")
  expect(detailValue("because", "device_revoked")).toBe("device revoked")
})
