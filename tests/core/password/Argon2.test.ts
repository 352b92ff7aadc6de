import { expect, it } from "vitest"
import { argon2id } from "#core/password/Argon2.ts"

it("computes the tag of RFC 9106 §5.3", () => {
  const hash = argon2id({
    password: new Uint8Array(32).fill(1),
    salt: new Uint8Array(16).fill(2),
    secret: new Uint8Array(8).fill(3),
    associatedData: new Uint8Array(12).fill(4),
    parameters: { memory: 32, passes: 3, parallelism: 4 },
    length: 32
  })
  expect(Buffer.from(hash).toString("hex")).toBe("0d640df58d78766c08c037a34a8b53c9d01ef0452d75b65eb52520e96b01e659")
})
