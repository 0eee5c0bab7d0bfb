// Opens the data folder that its argument names, says so, and keeps it until it is killed.
import { openDataFolder } from '../../../hack/embedded/data-folder.ts'

await openDataFolder(process.argv[2] ?? '')
console.log('held')
setInterval(() => {}, 1000)
