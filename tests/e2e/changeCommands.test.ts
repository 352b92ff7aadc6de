/** Commands that change and delete what commands create: mail, telephony, DNS accounts and status components. */
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { beforeAll, expect } from "vitest"
import { commandLine } from "#support/CommandLine.ts"
import { ensureBuilt, environmentOf } from "#support/Executable.ts"
import { freshDatabase, temporaryDirectory } from "#support/Postgres.ts"

const run = commandLine()

beforeAll(ensureBuilt, 60_000)

/** Arguments without spaces. */
const words = (text: string): ReadonlyArray<string> => text.split(" ")

/** Commands over one empty database. No daemon runs. */
const machine = Effect.gen(function* () {
  const { url } = yield* freshDatabase
  const dataDir = yield* temporaryDirectory()
  const env = { ...environmentOf(dataDir), DATABASE_URL: url }
  const signalbox = (...args: ReadonlyArray<string>) => Effect.promise(() => run(args, env))
  /** JSON output of a command that succeeds. */
  const json = Effect.fnUntraced(function* (...args: ReadonlyArray<string>) {
    const ended = yield* signalbox(...args, "--json")
    expect(ended.code, ended.stderr).toBe(0)
    return JSON.parse(ended.stdout)
  })
  /** Exit status and last line of a command that fails. */
  const refused = Effect.fnUntraced(function* (...args: ReadonlyArray<string>) {
    const { code, stderr } = yield* signalbox(...args)
    return [code, stderr.trim().split("\n").at(-1)]
  })
  return { json, refused, signalbox }
})

it.live(
  "telephony is changed and deleted, and checked like requests of the API",
  () =>
    Effect.gen(function* () {
      const { json, refused } = yield* machine
      const create = ["sip", "extension", "create", "--domain", "voice.example.org", "--name"]
      expect(yield* refused(...create, "A".repeat(200), "--number", "1001")).toEqual([
        64,
        expect.stringContaining("--name: ")
      ])
      expect(yield* refused(...create, "Ann", "--number", "10 01")).toEqual([
        64,
        "signalbox: --number: must be digits, or a name of letters, digits, - and _"
      ])
      expect(yield* refused(...create, "Ann", "--number", "1001", "--tenant", "77")).toEqual([
        64,
        "signalbox: --tenant: there is no tenant 77; `signalbox tenant list` shows all tenants"
      ])
      const ann = yield* json(...create, "Ann", "--number", "1001")
      const ben = yield* json(...create, "Ben", "--number", "1002")
      const extension = (id: number) => ["sip", "extension", "change", String(id)]
      expect(yield* refused(...extension(ann.id))).toEqual([
        64,
        "signalbox: name at least one thing to change; --help shows what"
      ])
      expect(yield* refused(...extension(ann.id), "--user", "3", "--no-user")).toEqual([
        64,
        "signalbox: --user and --no-user exclude each other"
      ])
      expect(yield* refused(...extension(999), "--name", "X")).toEqual([1, "signalbox: The extension does not exist."])
      expect(yield* json(...extension(ann.id), "--name", "Anna", "--user", "12", "--disable")).toMatchObject({
        name: "Anna",
        user_id: 12,
        enabled: false
      })
      expect(yield* json(...extension(ann.id), "--no-user")).toMatchObject({ user_id: null, name: "Anna" })

      const group = yield* json(...words("sip ring-group create --name Sales --number 2000 --extensions 1001"))
      expect(
        yield* json(
          ...words(`sip ring-group change ${group.id} --strategy sequence --no-number --extensions`),
          "1002, 1001"
        )
      ).toMatchObject({ name: "Sales", strategy: "sequence", number: null, extensions: ["1002", "1001"] })
      const did = yield* json(
        ...words(`sip create-did --name Office --to ring_group --to-id ${group.id} --number`),
        "030 123456"
      )
      const change = ["sip", "change-did", String(did.id)]
      expect(yield* refused(...change, "--to-id", "999")).toEqual([
        1,
        expect.stringMatching(/destination_id must be the id of a ring group$/)
      ])
      expect(yield* json(...change, "--to", "extension", "--to-id", String(ben.id), "--name", "Desk")).toMatchObject({
        number: "+4930123456",
        name: "Desk",
        destination_type: "extension",
        destination_id: ben.id
      })

      // Nobody can answer the question here.
      const [code, asked] = yield* refused("sip", "delete-did", String(did.id))
      expect(code).toBe(64)
      expect(asked).toContain("The DID +4930123456 is deleted")
      expect(asked).toContain("add --yes")
      expect(yield* refused("sip", "extension", "delete", String(ben.id), "--yes")).toEqual([
        1,
        expect.stringMatching(/^signalbox: /)
      ])
      expect(yield* json("sip", "delete-did", String(did.id), "--yes")).toEqual({ id: did.id, deleted: true })
      expect(yield* json("sip", "ring-group", "delete", String(group.id), "--yes")).toMatchObject({ deleted: true })
      expect(yield* json("sip", "extension", "delete", String(ben.id), "--yes")).toMatchObject({ deleted: true })
      expect(yield* refused("sip", "extension", "delete", String(ben.id), "--yes")).toEqual([
        1,
        "signalbox: The extension does not exist."
      ])
    }),
  180_000
)

it.live(
  "mail domains, mailboxes and aliases are created, changed and deleted",
  () =>
    Effect.gen(function* () {
      const { json, refused } = yield* machine
      expect(yield* refused("mail-domain", "create", "no domain", "--customer", "5")).toEqual([
        64,
        "signalbox: domain: must be a domain that can have mail, such as example.org"
      ])
      const domain = yield* json("mail-domain", "create", "example.org", "--customer", "5")
      expect(domain).toMatchObject({ domain: "example.org", tenant_id: 1, ownership: { state: "proven" } })
      const box = yield* json("mailbox", "create", "anna@example.org", "--quota", "100")
      expect(yield* json("mailbox", "change", "anna@example.org", "--no-quota", "--user", "12")).toMatchObject({
        quota_mb: null,
        user_id: 12
      })
      const renewed = yield* json("mailbox", "change", String(box.id), "--new-password")
      expect(renewed.password.length).toBeGreaterThan(9)
      expect(renewed.password).not.toBe(box.password)
      expect(yield* refused("mailbox", "change", "anna@example.org", "--quota", "9999999")).toEqual([
        64,
        expect.stringContaining("--quota: ")
      ])
      expect(yield* json("mailbox", "suspend", "anna@example.org")).toMatchObject({ state: "suspended" })
      expect(yield* json("mailbox", "unsuspend", "anna@example.org")).toMatchObject({ state: "active" })
      expect(yield* refused("mail-alias", "create", "office@example.org", "nobody")).toEqual([
        64,
        "signalbox: destination: must be a whole mail address"
      ])
      const alias = yield* json("mail-alias", "create", "office@example.org", "anna@example.org")
      expect(yield* json("mail-alias", "list", "example.org")).toHaveLength(1)
      expect(yield* json("mail-alias", "delete", String(alias.id), "--yes")).toMatchObject({ deleted: true })
      expect(yield* refused("mail-domain", "delete", "example.org", "--yes")).toEqual([
        1,
        "signalbox: Delete the mailboxes of the domain first, or send force=true to delete them, too."
      ])
      const [code, asked] = yield* refused("mail-domain", "delete", "example.org", "--force")
      expect(code).toBe(64)
      expect(asked).toContain("example.org and its 1 mailbox is deleted")
      expect(yield* refused("mailbox", "delete", "ben@example.org", "--yes")).toEqual([
        1,
        "signalbox: the mailbox ben@example.org does not exist"
      ])
      expect(yield* json("mailbox", "delete", "anna@example.org", "--yes")).toMatchObject({ deleted: true })
      expect(yield* json("mail-domain", "delete", "example.org", "--yes")).toMatchObject({ deleted: true })
      expect(yield* json("mail-domain", "list")).toEqual([])
    }),
  180_000
)

it.live(
  "DNS accounts and status components are changed and deleted",
  () =>
    Effect.gen(function* () {
      const { json, refused } = yield* machine
      const make = ["dns-account", "create", "--customer", "5", "--type", "manual", "--name"]
      expect(yield* refused(...make, "")).toEqual([64, expect.stringContaining("--name: ")])
      const account = yield* json(...make, "By hand")
      expect(yield* json("dns-account", "change", String(account.id), "--name", "Ours", "--no-default")).toMatchObject({
        name: "Ours",
        is_default: false
      })
      expect(yield* json("dns-account", "delete", String(account.id), "--yes")).toMatchObject({ deleted: true })
      expect(yield* refused("dns-account", "delete", String(account.id), "--yes")).toEqual([
        1,
        expect.stringMatching(/does not exist|no such/i)
      ])

      const component = ["status", "component"]
      const add = [...component, "add", "shop", "--name", "Laden", "--name-en", "Shop"]
      expect(yield* refused(...add, "--tcp", "example.org")).toEqual([
        64,
        "signalbox: --tcp needs a host and a port, such as example.org:25"
      ])
      expect(yield* refused(...add, "--http", "https://user:secret@example.org/")).toEqual([
        1,
        expect.stringContaining("user name or password")
      ])
      const added = yield* json(...add, "--http", "https://shop.example.org/", "--tls", "shop.example.org:8443")
      expect(added.checks).toEqual([
        { type: "http", url: "https://shop.example.org/" },
        { type: "tls", host: "shop.example.org", port: 8443 }
      ])
      expect(yield* refused(...add)).toEqual([1, "signalbox: Choose another id."])
      expect(yield* json(...component, "change", "shop", "--name-en", "Web shop", "--group", "Büro")).toMatchObject({
        name: "Laden",
        name_en: "Web shop",
        group: "Büro",
        checks: added.checks
      })
      expect(yield* json(...component, "change", "shop", "--no-group", "--dns", "example.org:mx")).toMatchObject({
        group: null,
        checks: [{ type: "dns", name: "example.org", record_type: "MX" }]
      })
      expect(yield* refused(...component, "delete", "office", "--yes")).toEqual([
        1,
        "signalbox: the database has no component office; `signalbox status component list` shows them"
      ])
      expect(yield* json(...component, "delete", "shop", "--yes")).toEqual({ id: "shop", deleted: true })
      expect(yield* json(...component, "list")).toEqual([])
    }),
  180_000
)
