import { Layer } from "effect"
import * as Feature from "#core/daemon/Feature.ts"
import { fetching as tables } from "./migrations/0005_fetching.ts"

/** Fetches statements on schedule and on request. */
export const fetching = Feature.make({ migrations: [tables], layer: Layer.empty })
