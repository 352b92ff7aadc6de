/** Sign-ins during the introspection load, at a fixed rate. Each costs the server one argon2id hash. */
import { argon2Sync, randomBytes } from "node:crypto"
import { pause } from "../alarm/Rig.ts"
import { encode, hashBytes, presentParameters, saltBytes } from "#core/password/PasswordHash.ts"

/** Interval between two sign-ins. Unit: milliseconds. Source: the issue, two per second. */
const every = 500

/** Account that signs in. */
export const account = { email: "bench@example.test", password: "correct horse battery staple 42" }

/** Stored hash of the password. */
export const passwordHash = (): string => {
  const salt = randomBytes(saltBytes)
  const { memory, parallelism, passes } = presentParameters
  const hash = argon2Sync("argon2id", {
    message: account.password,
    nonce: salt,
    memory,
    passes,
    parallelism,
    tagLength: hashBytes
  })
  return encode({ parameters: presentParameters, salt, hash })
}

/** Signs in until stopped, then returns the number of sign-ins. Fails when a sign-in is refused. */
export const start = (port: number) => {
  let running = true
  let failure: unknown
  const signIn = async () => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/auth/login`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(account)
    })
    const text = await response.text()
    if (response.status !== 200) throw new Error(`a sign-in was answered ${response.status}: ${text}`)
  }
  const pending: Array<Promise<void>> = []
  const loop = (async () => {
    while (running) {
      pending.push(signIn().catch((error: unknown) => void (failure ??= error)))
      await pause(every)
    }
  })()
  return {
    stop: async () => {
      running = false
      await loop
      await Promise.all(pending)
      if (failure !== undefined) throw failure
      return pending.length
    }
  }
}
