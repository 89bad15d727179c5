import type { DocumentPort } from '../../contract/ports/ports.ts';

/** Without an editor no document is open. */
export const documents: DocumentPort = {
	readOpen: () => undefined,
	writeOpen: async () => undefined,
};
