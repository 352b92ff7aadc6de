/** Reporter of a profiled run: writes the durations that vitest measures for each file. */
import type { Reporter, TestModule } from "vitest/node"
import { write } from "./Events.ts"

export default class ProfileReporter implements Reporter {
  onTestModuleEnd(module: TestModule): void {
    const { collectDuration, duration, setupDuration } = module.diagnostic()
    write({
      e: "module",
      file: module.moduleId,
      imports: collectDuration / 1e3,
      setup: setupDuration / 1e3,
      tests: duration / 1e3
    })
  }
}
