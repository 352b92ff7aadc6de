export { type NewestBackup, newestBackup } from "./NewestBackup.ts"
