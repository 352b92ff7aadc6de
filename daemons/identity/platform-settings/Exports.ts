/** Exports of the feature for the command line: its part of the group `settings`. */
export { settingsTest } from "./TestCommand.ts"
