import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { commandsFor } from "#daemons/sip-config/calls/SwitchFlush.ts"
import { dataTopic } from "#daemons/sip-config/directory/Change.ts"
import { until } from "#support/Frame.ts"
import { connected, switchboard, watching } from "./Switchboard.ts"

it("many users are flushed together, and a trunk's gateway is killed before it is made again, if it changed", () => {
  const changes = { upto: "", users: ["1001 a.test"], ended: [], unnamed: false, trunks: [], gateways: [] }
  expect(commandsFor(changes)).toEqual([["xml_flush_cache id 1001 a.test"], []])
  expect(commandsFor({ ...changes, unnamed: true })[0]).toEqual(["xml_flush_cache"])
  expect(commandsFor({ ...changes, users: Array.from({ length: 201 }, (_, index) => `${index} a.test`) })[0]).toEqual([
    "xml_flush_cache"
  ])
  expect(commandsFor({ ...changes, users: [], trunks: [3, 4], gateways: [3] })).toEqual([
    ["sofia profile external killgw trunk_3"],
    ["sofia profile external rescan", "reloadacl"]
  ])
  expect(commandsFor({ ...changes, ended: ["1001 a.test"] })[0]).toEqual([
    "xml_flush_cache id 1001 a.test",
    "sofia profile internal flush_inbound_reg 1001@a.test"
  ])
})

it.live(
  "each change is told once, also what was changed while the switch or we were away",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { component, database, double, sql } = yield* switchboard()
        for (const id of [1, 2, 3, 4]) double.sofia.configured.add(`trunk_${id}`)
        const said = () =>
          double.commands
            .filter((command) => /^api (xml_flush_cache|sofia profile|reloadacl)/.test(command))
            .map((command) => command.slice("api ".length))
        let seen = 0
        const told = (...wanted: ReadonlyArray<string>) =>
          Effect.gen(function* () {
            yield* until(
              `told ${wanted.join(", ")}`,
              Effect.sync(() => said().length >= seen + wanted.length)
            )
            expect(said().slice(seen)).toEqual(wanted)
            seen += wanted.length
            // Waits until the new position is stored.
            yield* until(
              "it is noted",
              Effect.map(
                sql`select 1 from sip_config.switch_told where pg_visible_in_snapshot((select coalesce(max(xid), '3') from (select xid from sip_config.extension union all select xid from sip_config.voicemail_box
            union all select xid from sip_config.trunk union all select xid from sip_config.gone) t), seen)`,
                ({ length }) => length === 1
              )
            )
          })
        const change = (statement: Effect.Effect<unknown, unknown>) =>
          sql.withTransaction(Effect.andThen(statement, sql`select pg_notify('signalbox', ${dataTopic})`))
        // At the first start the content of the switch's cache is unknown.
        yield* told("xml_flush_cache")
        yield* change(sql`insert into sip_config.sip_domain (tenant_id, domain, proven) values (7, 'a.test', true)`)
        const extension = (number: string) =>
          sql`insert into sip_config.extension (tenant_id, domain_id, extension, name, password) select 7, id, ${number}, 'Ann', '' from sip_config.sip_domain`
        yield* change(extension("1001"))
        yield* told("xml_flush_cache id 1001 a.test")
        // An extension of another tenant in the same domain, which that tenant has not proven, ends no registration.
        yield* change(sql`with claim as (
            insert into sip_config.sip_domain (tenant_id, domain) values (8, 'a.test') returning id)
          insert into sip_config.extension (tenant_id, domain_id, extension, name, password)
            select 8, id, '1001', 'Eve', '' from claim`)
        yield* told()
        yield* change(sql`update sip_config.extension set password = 'other', updated_at = clock_timestamp()
          where tenant_id = 8`)
        yield* told()
        yield* change(sql`delete from sip_config.extension where tenant_id = 8`)
        yield* told("xml_flush_cache")
        yield* sql`delete from sip_config.sip_domain where tenant_id = 8`
        const update = (fields: string) =>
          change(sql`update sip_config.extension set ${sql.literal(fields)}, updated_at = clock_timestamp()`)
        yield* update("extension = '1002'")
        yield* told(
          "xml_flush_cache id 1002 a.test",
          "xml_flush_cache id 1001 a.test",
          "sofia profile internal flush_inbound_reg 1001@a.test"
        )
        // A registration ends with the password, the owner or the extension, but not with another name or envelope.
        yield* update("name = 'Anna'")
        yield* told("xml_flush_cache id 1002 a.test")
        yield* change(sql`update sip_config.extension set password = 'renewed envelope'`)
        yield* told("xml_flush_cache id 1002 a.test")
        for (const fields of ["password = 'other'", "user_id = 5", "enabled = false"]) {
          yield* update(fields)
          yield* told("xml_flush_cache id 1002 a.test", "sofia profile internal flush_inbound_reg 1002@a.test")
        }
        yield* update("enabled = true")
        yield* told("xml_flush_cache id 1002 a.test")
        yield* change(
          sql`insert into sip_config.voicemail_box (tenant_id, domain_id, box, name, pin) select 7, id, '1002', 'Ann', '' from sip_config.sip_domain`
        )
        yield* told("xml_flush_cache id 1002 a.test")
        yield* change(sql`insert into sip_config.trunk (tenant_id, name, host) values (7, 'A', 'sip.test')`)
        yield* told("sofia profile external rescan", "reloadacl")
        yield* change(sql`update sip_config.trunk set name = 'B', networks = '{192.0.2.0/24}'`)
        yield* told("sofia profile external rescan", "reloadacl")
        yield* change(sql`update sip_config.trunk set port = 5070`)
        yield* told("sofia profile external killgw trunk_1", "sofia profile external rescan", "reloadacl")

        yield* double.kill
        yield* until(
          "it is missed",
          Effect.map(component, ({ detail }) => detail !== undefined)
        )
        yield* change(extension("1003"))
        yield* double.restart
        yield* connected({ component })
        yield* told("xml_flush_cache id 1003 a.test")
        yield* change(sql`delete from sip_config.extension where extension = '1002'`)
        yield* told("xml_flush_cache id 1002 a.test", "sofia profile internal flush_inbound_reg 1002@a.test")
        yield* change(sql`delete from sip_config.trunk`)
        yield* told("sofia profile external killgw trunk_1", "sofia profile external rescan", "reloadacl")
        // A new process continues at the stored position.
        yield* Effect.scoped(Effect.andThen(Effect.flatMap(watching(double, database), connected), Effect.sleep(300)))
        expect(said().length).toBe(seen)
      })
    ),
  120_000
)
