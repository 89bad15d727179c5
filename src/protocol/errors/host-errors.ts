/** Errors of the processes of Prowess itself. */
import { messageOnly, type SomeErrorTexts } from './texts.ts';

export const hostErrors = {
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
