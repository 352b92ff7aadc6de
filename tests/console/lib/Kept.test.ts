import { expect, it } from "vitest"
import { kept } from "../../../console/lib/Kept.ts"

it("shares one question, and asks again after a failure", async () => {
  const all = new Map<string, Promise<number>>()
  const answers = [() => Promise.reject(new Error("away")), () => Promise.resolve(7)]
  let asked = 0
  const ask = () => answers[asked++]!()
  const [first, same] = [kept(all, "a", ask), kept(all, "a", ask)]
  expect(same).toBe(first)
  await expect(first).rejects.toThrow("away")
  await expect(kept(all, "a", ask)).resolves.toBe(7)
  await expect(kept(all, "a", ask)).resolves.toBe(7)
  expect(asked).toBe(2)
})

it("leaves a newer promise alone when an older one fails", async () => {
  const all = new Map<string, Promise<number>>()
  let fail: (error: Error) => void = () => {}
  const old = kept(all, "a", () => new Promise<number>((_, reject) => (fail = reject)))
  const newer = Promise.resolve(7)
  all.set("a", newer)
  fail(new Error("away"))
  await expect(old).rejects.toThrow("away")
  expect(all.get("a")).toBe(newer)
})
