import { errorMessage } from "../errors/error-message.ts";
import { UnreadyProviders } from "../provider-kit/unready-providers.ts";
import type { PluginMistake, StartError } from "../start-failures.ts";
import type { ConfigDocument } from "./document.ts";
import type { ConfigError, Path } from "./mistakes.ts";
import { leavesOf, valueAt, withoutValues } from "./values.ts";
import { withOrigin } from "./words.ts";

/**
 * What plugins found wrong at the start, told as what their schemas find is: with line and column, in the order of the file.
 * What failed beside it stands at its plugin, and a provider that cannot be made ready at its slug.
 */
export function placedIn(document: ConfigDocument, error: StartError | UnreadyProviders): ConfigError {
  const report = document.newReport();
  if (error instanceof UnreadyProviders) {
    for (const { provider, error: cause } of error.failures) {
      const path = ["providers", provider];
      report.add(path, document.place(path).keyAt, errorMessage(cause), cause);
    }
    return report.error();
  }
  const { mistakes, failures } = error;
  for (const mistake of mistakes) {
    const path = ["plugins", mistake.plugin, ...mistake.path];
    const place = document.place(path);
    const isWritten = place.path.length === path.length;
    const at = isWritten && !mistake.isKey && mistake.path.length > 0 ? place.valueAt : place.keyAt;
    report.add(path, at, withoutVariables(mistake, path, document));
  }
  for (const { plugin, error } of failures) {
    const path = ["plugins", plugin];
    report.add(path, document.place(path).keyAt, errorMessage(error), error);
  }
  return report.error();
}

/** Plugins see what references stand for, and may say it. The values of variables are not printed. */
function withoutVariables({ message, isKey }: PluginMistake, path: Path, document: ConfigDocument): string {
  const variablesAt = (at: Path) => document.place(at).reference?.variables ?? [];
  const leaves = leavesOf(valueAt(document.root, path), path);
  const found = leaves.map(({ text, path: at }) => ({ text, variables: variablesAt(at) }));
  const told = withoutValues(
    message,
    found.filter(({ variables }) => variables.length > 0),
  );
  return isKey ? told : withOrigin(told, variablesAt(path));
}
