import { OpenApi } from "effect/http-api"
import * as Api from "#core/http/Api.ts"
import { accounts } from "./accounts/Api.ts"
import { push } from "./mailbox-watch/push/Api.ts"
import { changes } from "./webmail-changes/Api.ts"
import { folderChanges } from "./webmail-changes/folders/Api.ts"
import { drafts, send } from "./webmail-sending/Api.ts"
import { uploads } from "./webmail-sending/uploads/Api.ts"
import { compose } from "./people/compose/Api.ts"
import { contacts, people } from "./people/contacts/Api.ts"
import { reading } from "./webmail-reading/Api.ts"
import { signatures } from "./people/signatures/Api.ts"
import { status } from "./mailbox-watch/Api.ts"

/** Everything mail-watcher answers. */
export const MailWatcherApi = Api.make("mail-watcher")
  .add(accounts)
  .add(reading)
  .add(status)
  .add(push)
  .add(signatures)
  .add(contacts)
  .add(people)
  .add(compose)
  .add(changes)
  .add(folderChanges)
  .add(send)
  .add(drafts)
  .add(uploads)
  .annotateMerge(
    OpenApi.annotations({
      title: "mail-watcher",
      description: "Mailboxes, watched and read: webmail, signatures, contacts"
    })
  )
