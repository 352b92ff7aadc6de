import { OpenApi } from "effect/http-api"
import * as Api from "#core/http/Api.ts"
import { comm } from "./api/Comm.ts"
import { events } from "./api/Events.ts"
import { notifications } from "./api/Notifications.ts"
import { push } from "./api/Push.ts"
import { workflows } from "./api/Workflows.ts"

/** Everything comm-dispatcher answers. */
export const CommApi = Api.make("comm-dispatcher")
  .add(workflows)
  .add(comm)
  .add(notifications)
  .add(push)
  .add(events)
  .annotateMerge(
    OpenApi.annotations({
      title: "comm-dispatcher",
      description:
        "Alarm workflows, direct messages and calls, and their ledger; notifications of users; the log of events"
    })
  )
