/** Reading the config file: the surface of this folder for the rest of core. */

export { type Environment, environmentOf, processEnvironment } from "../environment.ts";
export type { ConfiguredPlugin, ConfiguredProvider } from "./entries.ts";
export { jsonSchemaOf, type SchemaModules } from "./json-schema.ts";
export { knownModules, type ModuleDescription, ownModule } from "./known-modules.ts";
export { ConfigError, type Mistake } from "./mistakes.ts";
export { ModuleError, type ModuleLoader, moduleLoader } from "./modules.ts";
export { modulesInUse } from "./modules-in-use.ts";
export { describeOptions, type OptionDescription, optionsTable } from "./options-table.ts";
export { type GatewayConfig, parseConfig, readConfig } from "./read.ts";
export type { ServerSettings } from "./server-settings.ts";
