import * as Feature from "#core/daemon/Feature.ts"
import * as LookupService from "./LookupService.ts"
import { lookupSettings } from "./LookupSettings.ts"
import { mailServer as views } from "./migrations/0002_mail_server.ts"

/** Views for Dovecot and Postfix, the database role that reads them, and Postfix's look-ups. */
export const mailServer = Feature.make({ settings: lookupSettings, migrations: [views], layer: LookupService.layer })
