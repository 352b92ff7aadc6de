import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { innermost } from "#core/sql/Sql.ts"
import { camt053, camtFrame, mt940 } from "#support/bank/StatementFiles.ts"
import { zip } from "#support/bank/ZipFile.ts"
import { untilWithin } from "#support/Within.ts"
import { prefix, startStatements } from "./StatementSuite.ts"
import { oncePerFile } from "#support/OncePerFile.ts"

const running = oncePerFile(startStatements())

const day = { day: "2026-01-06", number: 7, opening: "100.00", bookings: [{ amount: "1.00", text: "Grüße" }] }

const raw = (bank: Effect.Success<ReturnType<typeof startStatements>>, path: string, tenant = 1) =>
  Effect.promise(async () => {
    const response = await fetch(`${bank.base()}${prefix}${path}`, {
      headers: { authorization: `Bearer user:${tenant}:ebics.view` }
    })
    return {
      status: response.status,
      type: response.headers.get("content-type"),
      disposition: response.headers.get("content-disposition"),
      sniff: response.headers.get("x-content-type-options"),
      bytes: Buffer.from(await response.arrayBuffer())
    }
  })

it.live("files of a ZIP file are stored and read one by one, each once for a tenant", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const bank = yield* running
      const other = { day: "2026-01-07", number: 8, opening: "101.00" }
      const [first, second] = [Buffer.from(camt053(day)), Buffer.from(mt940(other))]
      const archive = zip(
        { name: "C53/2026.xml", content: first },
        { name: "notes.pdf", content: Buffer.from("%PDF-1.7") },
        { name: "../../STA.txt", content: second }
      )
      const files = yield* bank.imported(archive)
      expect(files.map(({ name, problem, state }) => [name, state, problem?.code])).toEqual([
        ["2026.xml", "parsed", undefined],
        ["notes.pdf", "failed", "unknown_format"],
        ["STA.txt", "parsed", undefined]
      ])
      expect(yield* bank.items("/statements")).toHaveLength(2)
      // The same files in another archive are the same.
      const again = yield* bank.imported(zip({ name: "b", content: second }, { name: "a", content: first }))
      expect(again.map(({ duplicate, id }) => [duplicate, id])).toEqual([
        [true, files[2].id],
        [true, files[0].id]
      ])
      // A file that an archive holds twice is stored once, also beside one that is stored already.
      const third = Buffer.from(camt053({ day: "2026-01-08", number: 9, opening: "101.00" }))
      const twice = yield* bank.imported(
        zip({ name: "c", content: third }, { name: "a", content: first }, { name: "d", content: third })
      )
      expect(twice.map(({ duplicate, id, name }) => [duplicate, id, name])).toEqual([
        [false, twice[0].id, "c"],
        [true, files[0].id, "2026.xml"],
        [true, twice[0].id, "c"]
      ])
      expect(yield* bank.items("/statements")).toHaveLength(3)
      // Another tenant has its own, and sees nothing of these.
      expect(yield* bank.items("/files", 2)).toEqual([])
      expect((yield* bank.imported(archive, { tenant: 2 })).map(({ duplicate }) => duplicate)).toEqual([
        false,
        false,
        false
      ])
      expect(yield* bank.items("/statements", 2)).toHaveLength(2)
      const [statement] = yield* bank.items("/statements?kind=end_of_day&to=2026-01-06")
      for (const path of [`/statements/${statement.id}`, `/files/${files[0].id}`]) {
        expect((yield* bank.get(path, 2)).status).toBe(404)
        const file = yield* raw(bank, `${path}/raw`)
        expect(file).toEqual({
          status: 200,
          type: "application/xml",
          disposition: "attachment; filename=\"2026.xml\"; filename*=UTF-8''2026.xml",
          sniff: "nosniff",
          bytes: first
        })
        expect((yield* raw(bank, `${path}/raw`, 2)).status).toBe(404)
      }
      expect((yield* raw(bank, `/files/${files[2].id}/raw`)).type).toBe("text/plain")
      const manage = yield* Effect.promise(() =>
        fetch(`${bank.base()}${prefix}/statements/import`, {
          method: "POST",
          headers: { authorization: "Bearer user:1:ebics.view" },
          body: first
        })
      )
      expect(manage.status).toBe(403)
    })
  )
)

it.live("Postgres keeps files for ten years, and the upkeep deletes them after that", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const bank = yield* running
      const [file] = yield* bank.imported(camt053(day))
      const { sql } = bank
      const years = Number(file.keep_until.slice(0, 4)) - Number(file.received_at.slice(0, 4))
      expect([years, file.state]).toEqual([10, "parsed"])
      const refused = (statement: Effect.Effect<unknown, unknown>) =>
        Effect.match(statement, { onFailure: (error) => /kept/.test(innermost(error)), onSuccess: () => false })
      expect(
        yield* Effect.all([
          refused(sql`delete from bank_fetcher.raw_file`),
          refused(sql`delete from bank_fetcher.raw_chunk`),
          refused(sql`update bank_fetcher.raw_chunk set data = 'x'`),
          refused(sql`update bank_fetcher.raw_file set sha256 = 'x'`),
          refused(sql`update bank_fetcher.raw_file set keep_until = current_date`),
          refused(sql`update bank_fetcher.raw_file set state = 'removed'`),
          refused(sql`update bank_fetcher.raw_file set state = 'receiving'`),
          refused(sql`truncate bank_fetcher.raw_file cascade`),
          refused(sql`truncate bank_fetcher.raw_chunk`)
        ])
      ).toEqual(Array.from({ length: 9 }, () => true))
      // A file of ten years ago.
      const [old] = yield* sql<{ id: string }>`insert into bank_fetcher.raw_file
          (tenant_id, source, name, sha256, size, chunks, state, keep_until)
        values (1, 'import', 'old', 'x', 1, 1, 'parsed', current_date) returning id`
      yield* sql`insert into bank_fetcher.raw_chunk (file_id, position, tenant_id, data)
        values (${old!.id}, 0, 1, ${Buffer.from("x")})`
      // Uploads that a crash interrupted, and one that may still go on.
      yield* sql`insert into bank_fetcher.raw_file (tenant_id, source, name, size, chunks, state, received_at)
        select 1, 'import', name, 0, 0, 'receiving', now() - age::interval
          from (values ('interrupted', '121 minutes'), ('under way', '119 minutes')) as upload (name, age)`
      yield* bank.account()
      yield* untilWithin(
        60,
        "the old file is deleted",
        Effect.map(bank.get(`/files/${old!.id}`), ({ json }) => json.state === "removed")
      )
      expect(yield* sql`select file_id from bank_fetcher.raw_chunk where file_id = ${old!.id}`).toEqual([])
      expect((yield* raw(bank, `/files/${old!.id}/raw`)).status).toBe(404)
      expect(yield* sql`select name from bank_fetcher.raw_file where state = 'receiving'`).toEqual([
        { name: "under way" }
      ])
      expect((yield* raw(bank, `/files/${file.id}/raw`)).bytes.toString()).toBe(camt053(day))
    })
  )
)

const [head, tail] = camtFrame({ day: "2026-01-06", number: 1 })
const deep = "<a>".repeat(200) + "</a>".repeat(200)
const laughs = `<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;">]>`
const external = `<!DOCTYPE l [<!ENTITY x SYSTEM "file:///etc/passwd">]>`
const doctype = (declaration: string) => head.replace("?>\n", `?>\n${declaration}`) + `<Ntry>&c;&x;</Ntry>${tail}`
const good = camt053(day)

const broken: ReadonlyArray<readonly [name: string, file: string | Buffer, code: string]> = [
  ["a file that ends early", good.slice(0, -40), "malformed"],
  ["no statement", good.replace(/<Stmt>.*<\/Stmt>/, ""), "malformed"],
  [
    "a wrong amount in the last entry",
    good.replace('EUR">1.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Rltd', 'EUR">1,00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Rltd'),
    "bad_amount"
  ],
  ["an amount above all numbers", good.replaceAll(">1.00<", ">99999999999999999.00<"), "too_large"],
  [
    "no day of the calendar",
    good.replaceAll("<Dt>2026-01-06</Dt></BookgDt>", "<Dt>2026-02-30</Dt></BookgDt>"),
    "bad_date"
  ],
  ["an XML bomb", doctype(laughs), "malformed"],
  ["an external entity", doctype(external), "malformed"],
  ["elements too deep", head + deep + tail, "too_large"],
  ["a text without end", `${head}<Ntry><Amt Ccy="EUR">${"1".repeat(2_000_000)}`, "too_large"],
  ["another message", good.replaceAll("BkToCstmrStmt", "BkToCstmrDbtCdtNtfctn"), "malformed"],
  [
    "bytes that are no UTF-8",
    Buffer.concat([Buffer.from(head), Buffer.from([0xff, 0xfe]), Buffer.from(tail)]),
    "malformed"
  ],
  ["MT940 without balances", ":20:X\r\n:25:DE89370400440532013000\r\n-", "malformed"],
  ["a ZIP bomb", zip({ name: "a", content: Buffer.alloc(64 * 1024 * 1024) }), "too_large"],
  ["a damaged ZIP file", zip({ name: "a", content: Buffer.from(good), crc: 1 }), "malformed"],
  ["a ZIP file that ends early", zip({ name: "a", content: Buffer.from(good) }).subarray(0, 200), "malformed"]
]

it.live("a broken file stays with a clear problem, and nothing of it is stored", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const bank = yield* startStatements()
      for (const [name, file, code] of broken) {
        const [found] = yield* bank.imported(file, { query: `name=${encodeURIComponent(name)}` })
        expect([name, found.state, found.problem?.code, found.statements]).toEqual([name, "failed", code, 0])
        expect((yield* raw(bank, `/files/${found.id}/raw`)).bytes.equals(Buffer.from(file))).toBe(true)
      }
      const { sql } = bank
      for (const table of ["statement", "transaction", "parsed_rows"])
        expect(yield* sql`select * from bank_fetcher.${sql(table)}`).toEqual([])
      expect(yield* bank.items("/files?state=failed")).toHaveLength(broken.length)
      // What is no file of a bank is refused at once.
      for (const junk of ["", "hello", "%PDF-1.7"])
        expect(yield* bank.upload(junk)).toMatchObject({ status: 422, json: { code: "not_a_bank_file" } })
      // A person may try again, for example after an update.
      const [failed] = yield* bank.items("/files?limit=1")
      const again = yield* bank.readAgain(failed.id)
      expect([again.status, again.json.state]).toEqual([202, "waiting"])
      expect((yield* bank.readFile(failed.id)).state).toBe("failed")
    })
  )
)
