import { OpenApi } from "effect/http-api"
import * as Api from "#core/http/Api.ts"
import { accounts, domainAccounts } from "./api/Accounts.ts"
import { aliases, domainAliases } from "./api/Aliases.ts"
import { autoconfig } from "./api/Autoconfig.ts"
import { authPolicy, bans } from "./api/Bans.ts"
import { domains } from "./api/Domains.ts"

/** Everything mail-admin answers. */
export const MailAdminApi = Api.make("mail-admin")
  .add(domains)
  .add(domainAccounts)
  .add(accounts)
  .add(domainAliases)
  .add(aliases)
  .add(bans)
  .add(authPolicy)
  .add(autoconfig)
  .annotateMerge(
    OpenApi.annotations({
      title: "mail-admin",
      description: "Mail domains, the DNS records they need, mailboxes and aliases"
    })
  )
