// Opens the data folder of its argument, reports it, and holds it until it is killed.
import { openDataFolder } from '../../../hack/embedded/data-folder.ts'

await openDataFolder(process.argv[2] ?? '')
console.log('held')
setInterval(() => {}, 1000)
