import { Effect } from "effect"
import type { Component } from "#core/Health.ts"
import { DkimFiles } from "./dkim-files/DkimFiles.ts"
import { MailServer } from "./MailServer.ts"

/** Whether domains can be made, and whether the signer has their keys. */
export const components: Effect.Effect<Readonly<Record<string, Component>>, never, DkimFiles | MailServer> = Effect.gen(function*() {
  const { missing } = yield* MailServer
  return {
    mail_server: missing.length === 0 ? { status: "ok" } : { status: "unconfigured", detail: `${missing.join(", ")} unset: no mail domain can be made` },
    dkim_files: yield* Effect.flatMap(DkimFiles, ({ component }) => component)
  }
})
