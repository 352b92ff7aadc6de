import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { daemons } from "#daemons/Suite.ts"
import { managementSuite } from "./ManagementSuite.ts"

const random = "9d3f1c52-7a3e-4b0c-8f57-0d4f3a1e6b21"

/** Operations that workflows.manage allows; the heartbeat is for users only. */
/** Heartbeat and test alarm need permissions of operators. */
const theirs = (path: string) =>
  /^\/api\/v1\/(comm|workflows|alarm-bridge)(\/|$)/.test(path) && !/\/(heartbeat|test-alarm)$/.test(path)

it.live(
  "a service token of the scope workflows.manage reaches only the endpoints of workflows",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { call, program } = yield* managementSuite({
          daemons,
          gateway: true,
          env: { SIGNALBOX_ALARM_SMTP_PORT: "0" }
        })
        const { token } = yield* program("workflows.manage")
        const { json } = yield* call("GET", "/openapi.json")
        const guarded = Object.entries<Record<string, any>>(json.paths).flatMap(([path, methods]) =>
          Object.entries(methods)
            .filter(([, operation]) => operation.security?.length > 0)
            .map(([method]) => ({ method: method.toUpperCase(), path }))
        )
        expect(guarded.length).toBeGreaterThan(40)
        const wrong: Array<string> = []
        for (const { method, path } of guarded) {
          const at = path.replace(/\{[^}]+\}/g, theirs(path) ? random : "1")
          const { status } = yield* call(method, at, {
            token,
            ...(["POST", "PUT", "PATCH"].includes(method) ? { body: {} } : {})
          })
          // An allowed request gets an error about its content, or a missing run.
          if (theirs(path) ? ![200, 201, 404, 422].includes(status) : status !== 403)
            wrong.push(`${method} ${path}: ${status}`)
        }
        expect(wrong).toEqual([])
      })
    ),
  120_000
)
