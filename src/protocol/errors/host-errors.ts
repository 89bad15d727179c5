/** Errors of the processes of Prowess itself. */
import { message, type SomeErrorTexts } from './texts.ts';

export const hostErrors = {
	SERVER_GONE: {
		log: 'the server process is gone',
		user: 'The Prowess server stopped.',
		wayOut: 'It restarts with your next request.',
		model: message,
	},
	SERVER_DEGRADED: {
		log: 'the server process stopped too often',
		user: 'The Prowess server keeps stopping and will not restart on its own.',
		wayOut: 'Restart the server, or open the logs.',
		model: message,
	},
	VERSION_MISMATCH: {
		log: 'two processes speak different versions of the protocol',
		user: 'Two parts of Prowess have different versions.',
		wayOut: 'Reload the window.',
		model: message,
	},
	INTERNAL: {
		log: 'a fault of Prowess',
		user: 'Something went wrong inside Prowess.',
		wayOut: 'The logs say more.',
		model: message,
	},
} satisfies SomeErrorTexts;
