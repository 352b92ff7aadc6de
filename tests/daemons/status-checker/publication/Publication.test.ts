/** When what is shown is renewed, over a real database, with checks and files that the test moves by hand. */
import { assert, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { statusChecker } from "#daemons/status-checker/Daemon.ts"
import { Checking } from "#daemons/status-checker/checks/Checking.ts"
import { StatusFiles } from "#daemons/status-checker/status-files/StatusFiles.ts"
import type { Component, ComponentState, Incident } from "#daemons/status-checker/status/Model.ts"
import * as Publication from "#daemons/status-checker/publication/Publication.ts"
import { run as runMigrations } from "#core/sql/Migrations.ts"
import { inFrame, run, until } from "#support/Frame.ts"
import { component, incident } from "./Pictures.ts"

const config = {
  baseUrl: undefined,
  checkInterval: 300,
  pageDirectory: undefined,
  smtpHost: undefined,
  mailFrom: undefined,
  brandName: "Signalbox",
  brandLogo: undefined
}

it.live(
  "is renewed by local checks and files without Postgres, and not otherwise",
  () =>
    inFrame(
      Effect.gen(function* () {
        yield* runMigrations(statusChecker.migrations)
        let latest: ReadonlyMap<string, ComponentState> = new Map()
        const held = {
          components: [component("mail")] as ReadonlyArray<Component>,
          incidents: [] as ReadonlyArray<Incident>,
          listeners: new Set<() => void>()
        }
        const files = StatusFiles.of({
          components: () => held.components,
          incidents: () => held.incidents,
          onChange: (listener: () => void) => {
            held.listeners.add(listener)
            return () => held.listeners.delete(listener)
          },
          health: () => ({})
        } as never)
        const services = yield* Layer.build(
          Publication.layer(config).pipe(
            Layer.provide(Layer.succeed(StatusFiles, files)),
            Layer.provide(
              Layer.succeed(
                Checking,
                Checking.of({
                  latest: () => latest,
                  onChange: (listener: () => void) => {
                    held.listeners.add(listener)
                    return () => held.listeners.delete(listener)
                  },
                  health: () => ({ status: "ok" })
                } as never)
              )
            )
          )
        )
        const publication = Context.get(services, Publication.Publication)
        // Filled before anything runs.
        assert.deepStrictEqual(
          publication.current().components.map(({ component: { id }, status }) => [id, status]),
          [["mail", "operational"]]
        )
        yield* run(publication.actor)
        const shows = (what: string, look: () => boolean) => until(what, Effect.sync(look), 30)

        const seen = (status: ComponentState["status"]) => {
          const at = new Date().toISOString()
          latest = new Map([["mail", { component_id: "mail", status, since: at, checked_at: at }]])
          for (const listener of held.listeners) listener()
        }
        seen("major_outage")
        yield* shows("what was seen", () => publication.current().status === "major_outage")
        seen("operational")
        yield* shows("what was seen then", () => publication.current().status === "operational")

        held.incidents = [incident("a", { severity: "major" })]
        for (const listener of held.listeners) listener()
        yield* shows("what was read", () => publication.current().status === "partial_outage")

        // Nothing happens: the same answers stay, tags and all.
        const shelf = publication.shelf()
        yield* Effect.sleep(1_500)
        assert.strictEqual(publication.shelf(), shelf)
        assert.strictEqual(publication.health().status, "ok")
      })
    ),
  120_000
)
