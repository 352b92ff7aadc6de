import { it } from "@effect/vitest"
import { expect } from "vitest"
import { uptimeBar } from "#daemons/status-checker/publication/UptimeBar.ts"
import type { DayFigures } from "#daemons/status-checker/publication/Uptime.ts"

const days = (...statuses: ReadonlyArray<DayFigures["status"]>) => statuses.map((status) => ({ status }))

it("each mark shows the worst of three measured days", () => {
  expect(
    uptimeBar(
      days(
        "unknown",
        "unknown",
        "unknown",
        "operational",
        "unknown",
        "operational",
        "operational",
        "major_outage",
        "degraded_performance"
      )
    )
  ).toBe("·▇▁")
  expect(
    uptimeBar(
      days(
        "under_maintenance",
        "unknown",
        "operational",
        "degraded_performance",
        "under_maintenance",
        "operational",
        "partial_outage"
      )
    )
  ).toBe("~▅▃")
  expect(uptimeBar(Array.from({ length: 90 }, () => ({ status: "operational" as const })))).toBe("▇".repeat(30))
})
