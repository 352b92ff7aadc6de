import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { MailAdminApi } from "./Api.ts"
import { accounts, domainAccounts } from "./handlers/Accounts.ts"
import { aliases, domainAliases } from "./handlers/Aliases.ts"
import { autoconfig } from "./handlers/Autoconfig.ts"
import { authPolicy, bans } from "./handlers/Bans.ts"
import { domains } from "./handlers/Domains.ts"

export const handlers = HttpApiBuilder.layer(MailAdminApi).pipe(
  Layer.provide([domains, domainAccounts, accounts, domainAliases, aliases, bans, authPolicy, autoconfig])
)
