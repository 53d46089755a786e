// A process of the bench: runs as the product does, the part that its first argument names.
import { importModule } from "../../modules/modules.mjs";

const [role] = process.argv.splice(2, 1);
await importModule(new URL(`./${role}.ts`, import.meta.url).href);
