/**
 * Texts of each code for its three audiences. A code without its texts does not compile.
 *
 * `{name}` in a text is a fact of the error, `{message}` its message. Where a list of texts is given, the first counts whose
 * facts are all known. To add an error: its code in `./errors.ts`, its texts in the file of its group, its German in
 * `l10n/bundle.l10n.de.json`.
 */
import type { ErrorCode } from './errors.ts';
import { capabilityErrors } from './capability-errors.ts';
import { decisionErrors } from './decision-errors.ts';
import { effectErrors } from './effect-errors.ts';
import { hostErrors } from './host-errors.ts';
import { modelErrors } from './model-errors.ts';
import { requestErrors } from './request-errors.ts';
import { threadErrors } from './thread-errors.ts';
import type { ErrorTexts } from './texts.ts';

export const ERROR_CATALOG: { readonly [C in ErrorCode]: ErrorTexts } = {
	...requestErrors,
	...decisionErrors,
	...effectErrors,
	...threadErrors,
	...modelErrors,
	...capabilityErrors,
	...hostErrors,
};
