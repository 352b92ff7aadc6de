import { execFileSync } from "node:child_process"
import { expect, test } from "vitest"

/**
 * Runs the script in a new process without extensions of String. Returns for each `look()` whether String.prototype has
 * fast properties.
 */
const looks = (script: string): ReadonlyArray<boolean> => {
  const look = "const said = []; const look = () => said.push(%HasFastProperties(String.prototype));"
  const args = [
    "--allow-natives-syntax",
    "--input-type=module",
    "-e",
    `${look}${script}; console.log(JSON.stringify(said)); process.exit()`
  ]
  return JSON.parse(execFileSync(process.execPath, args, { cwd: `${import.meta.dirname}/../..`, encoding: "utf8" }))
}

test("strings are fast again after String.prototype was extended", () => {
  expect(
    looks(`
    const { quickenStrings } = await import("#core/cache/StringMethods.ts"); look()
    class Extended extends String {}; look()
    for (let use = 0; use < 1_000; use += 1) "text".charCodeAt(0); look()
    quickenStrings(); look()`)
  ).toEqual([true, false, false, true])
})

test("no daemon makes them slow, with and without Redis", () => {
  expect(looks(`await import("#core/cache/Cache.ts"); look(); await import("ioredis"); look()`)).toEqual([true, false])
  expect(looks(`await import("#daemons/Suite.ts"); look()`)).toEqual([true])
  expect(
    looks(`
    const { Effect, Layer } = await import("effect")
    const { layer } = await import("#core/cache/Cache.ts")
    process.env.REDIS_URL = "redis://127.0.0.1:1"
    await Effect.runPromise(Effect.scoped(Layer.build(layer))); look()`)
  ).toEqual([true])
  // Three processes, one of which imports every daemon.
}, 60_000)
