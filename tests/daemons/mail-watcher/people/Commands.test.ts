/** `signalbox contact` and `signalbox signature` beside a running daemon. */
import { it } from "@effect/vitest"
import { Console, Effect, Exit, Option } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect } from "vitest"
import { Environment } from "#core/config/Environment.ts"
import * as ContactOperator from "#daemons/mail-watcher/people/contacts/ContactOperator.ts"
import * as SignatureOperator from "#daemons/mail-watcher/people/signatures/SignatureOperator.ts"
import { recording } from "#support/CapturedOutput.ts"
import { temporaryDirectory } from "#support/Postgres.ts"
import { owner, People } from "./People.ts"

const none = Option.none<string>()
const some = Option.some<string>
const unset = { name: none, company: none, email: [], phone: [], website: [], note: none }

it.live(
  "an operator reads and changes contacts and signatures of an account, with the rules of the API",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { account, actions, make, send, suite } = yield* owner()
        const out: Array<string> = []
        const ran = <A, E>(command: Effect.Effect<A, E>) =>
          Effect.suspend(() => {
            out.length = 0
            return command.pipe(
              Effect.provideService(Environment, suite.env),
              Effect.provideService(Console.Console, recording(out)),
              Effect.exit
            )
          })
        const json = <A, E>(command: Effect.Effect<A, E>) =>
          Effect.map(ran(command), (exit): any => {
            expect(Exit.isSuccess(exit), String(exit)).toBe(true)
            return JSON.parse(out.join("\n"))
          })
        const refused = <A, E>(command: Effect.Effect<A, E>) => Effect.map(ran(command), String)
        const of = { account: account.address, json: true }

        yield* make("contacts", { name: "Ben Miller", emails: ["ben@example.net"] })
        const fields = { ...unset, name: some("Carla"), email: ["Carla@Example.NET"], phone: ["+49 30 123456"] }
        const made = yield* json(ContactOperator.add({ ...of, ...fields }))
        expect(made).toMatchObject({ name: "Carla", emails: ["carla@example.net"] })
        expect((yield* json(ContactOperator.list({ ...of, search: some("carla"), limit: 9 }))).length).toBe(1)
        expect(yield* refused(ContactOperator.add({ ...of, ...unset, name: some("X"), email: ["no"] }))).toContain(
          "--email: must be a whole mail address"
        )
        expect(yield* refused(ContactOperator.change({ ...of, ...unset, id: made.id }))).toContain("at least one thing")
        yield* json(ContactOperator.change({ ...of, ...unset, id: made.id, company: some("Miller Ltd") }))
        expect((yield* send("GET", `contacts/${made.id}`)).json).toMatchObject({ name: "Carla", company: "Miller Ltd" })

        const file = join(yield* temporaryDirectory("contacts"), "contacts.vcf")
        expect(yield* json(ContactOperator.exported({ ...of, file }))).toEqual({ file, contacts: 2 })
        expect(readFileSync(file, "utf8")).toContain("FN:Carla\r\n")
        expect(yield* refused(ContactOperator.remove({ ...of, id: made.id, yes: false }))).toContain("add --yes")
        yield* json(ContactOperator.remove({ ...of, id: made.id, yes: true }))
        expect(yield* refused(ContactOperator.show({ ...of, id: made.id }))).toContain("does not exist")
        expect(yield* json(ContactOperator.imported({ ...of, file }))).toEqual({ imported: 1, skipped: 1 })
        expect(
          yield* refused(ContactOperator.list({ ...of, account: "no@own7.test", search: none, limit: 9 }))
        ).toContain("there is no mail account no@own7.test")

        const html = file.replace(/vcf$/, "html")
        writeFileSync(html, "<p>Anna</p><script>alert(1)</script>")
        const flags = { name: none, file: none, isDefault: false, noDefault: false, for: [] }
        const wanted = { ...flags, name: some("Office"), file: some(html), isDefault: true, for: ["*.Example.org"] }
        const signature = yield* json(SignatureOperator.add({ ...of, ...wanted }))
        expect(signature).toMatchObject({
          html: "<p>Anna</p>",
          is_default: true,
          rules: [{ match_type: "domain", match_value: "*.example.org" }]
        })
        expect(yield* refused(SignatureOperator.add({ ...of, ...wanted, for: ["a b"] }))).toContain("must be a domain")
        yield* json(SignatureOperator.change({ ...of, ...flags, id: signature.id, noDefault: true }))
        expect((yield* send("GET", `signatures/${signature.id}`)).json).toMatchObject({
          name: "Office",
          is_default: false
        })
        yield* ran(SignatureOperator.list({ ...of, json: false, limit: 9 }))
        expect(out.join("\n")).toMatch(/^ID +NAME +DEFAULT +FOR\n\d+ +Office +\*\.example\.org$/)
        yield* json(SignatureOperator.remove({ ...of, id: signature.id, yes: true }))
        expect((yield* send("GET", "signatures")).json.items).toEqual([])
        expect(yield* actions).toEqual([
          "mail_contact.created",
          "mail_contact.created",
          "mail_contact.changed company",
          "mail_contact.deleted",
          "mail_contact.imported 1",
          "mail_signature.created",
          "mail_signature.changed is_default",
          "mail_signature.deleted"
        ])
      }).pipe(Effect.provide(People.layer))
    ),
  120_000
)
