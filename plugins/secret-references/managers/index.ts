import awsSecretsManager from "./aws-secrets-manager.ts";
import azureKeyVault from "./azure-key-vault.ts";
import googleSecretManager from "./google-secret-manager.ts";
import hashicorpVault from "./hashicorp-vault.ts";
import { environment, file } from "./machine.ts";
import type { Manager } from "./manager.ts";

/** By `manager_type` (operations.md section 10.2). The last two are for the config file only. */
export const managers = {
  aws_sm: awsSecretsManager,
  azure_kv: azureKeyVault,
  hashicorp_vault: hashicorpVault,
  gcp_sm: googleSecretManager,
  env: environment,
  file,
} as const satisfies Record<string, Manager>;

export type ManagerType = keyof typeof managers;

export const managerTypes = Object.keys(managers) as ManagerType[];

export type { Manager, ManagerTools } from "./manager.ts";
