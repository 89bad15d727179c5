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
import { modelErrors } from './model-errors.ts';
import { requestErrors } from './request-errors.ts';
import { threadErrors } from './thread-errors.ts';
import { type ErrorTexts, messageOnly, type SomeErrorTexts } from './texts.ts';

/** Errors of the processes of Prowess itself. */
const hostErrors = {
	SERVER_GONE: {
		log: 'the server process is gone',
		user: 'The Prowess server stopped.',
		wayOut: 'It restarts with your next request.',
		model: messageOnly,
	},
	SERVER_DEGRADED: {
		log: 'the server process stopped too often',
		user: 'The Prowess server keeps stopping and will not restart on its own.',
		wayOut: 'Restart the server, or open the logs.',
		model: messageOnly,
	},
	VERSION_MISMATCH: {
		log: 'two processes speak different versions of the protocol',
		user: 'Two parts of Prowess have different versions.',
		wayOut: 'Reload the window.',
		model: messageOnly,
	},
	INTERNAL: {
		log: 'a fault of Prowess',
		user: 'Something went wrong inside Prowess.',
		wayOut: 'The logs say more.',
		model: messageOnly,
	},
} satisfies SomeErrorTexts;

export const ERROR_CATALOG: { readonly [C in ErrorCode]: ErrorTexts } = {
	...requestErrors,
	...decisionErrors,
	...effectErrors,
	...threadErrors,
	...modelErrors,
	...capabilityErrors,
	...hostErrors,
};
