import { Layer } from "effect"
import * as Feature from "#core/daemon/Feature.ts"
import { mailServer as views } from "./migrations/0002_mail_server.ts"

/** Views for Dovecot, Postfix and the signer, and the database role that reads them. */
export const mailServer = Feature.make({ migrations: [views], layer: Layer.empty })
