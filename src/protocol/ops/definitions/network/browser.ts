/** A browser of the thread's own, over one that the user has installed: its pages as text, with references to act on. */
import * as z from '../../../text/zod.ts';
import { defineOp } from '../../define-op.ts';
import { SecretName } from './http.ts';
import { text } from '../../../text/text.ts';

/** The host writes the whole text; `hosts` are those outside this machine whose words may be in it. */
const PageSeen = z.object({
	text: z.string(),
	/** Host of the page that is shown; empty: none is. */
	host: z.string(),
	hosts: z.array(z.string()),
	image: z.object({ type: z.literal('image/png'), data: z.string() }).optional(),
});
type PageSeen = z.infer<typeof PageSeen>;

const seen = {
	result: PageSeen,
	risk: 'MONITORED',
	permission: 'http',
	callers: ['agent'],
	timeoutMs: 120_000,
	isRare: true,
	present: (r: PageSeen) => r.text,
	media: ({ image }: PageSeen) => (image === undefined ? [] : [{ data: image.data, name: 'page.png' }]),
} as const;

export const browserOpen = defineOp({
	...seen,
	/** `hosts`: others that the page may load from. */
	params: z.strictObject({
		url: z.string().min(1).max(8000),
		hosts: z.array(z.string().min(1).max(300)).max(20).default([]),
	}),
	// Opening is a read, as http.get is: what the page does by itself, its server lets everybody do.
	effect: 'read',
	tool: 'Open a page in a browser, such as a dev server, also one that your command runs in the background; gives its tree with refs.',
	title: ({ url }) => text('Open {url} in the browser', { url }),
});

export const browserLook = defineOp({
	...seen,
	params: z.strictObject({
		at: z.enum(['page', 'text', 'console', 'network']).default('page'),
		/** The text that is waited for. */
		until: z.string().min(1).max(500).optional(),
		picture: z.boolean().default(false),
	}),
	effect: 'read',
	tool: 'Look at the open page: tree, text, console, failed requests; picture adds one.',
	title: ({ at }) => text('Look at the browser ({what})', { what: at }),
});

export const browserAct = defineOp({
	...seen,
	/** `text`: what is typed, the keys, the option, or the answer to a dialog. */
	params: z.strictObject({
		act: z.enum(['click', 'hover', 'type', 'press', 'select', 'back', 'close']),
		ref: z
			.string()
			.regex(/^(?:f\d+)*e\d+$/)
			.optional(),
		text: z.string().max(20_000).optional(),
		/** Typed instead of a text, into a field for passwords. */
		secret: SecretName.optional(),
		/** Says yes to a dialog that this opens. */
		accept: z.boolean().default(false),
	}),
	effect: 'execute',
	tool: 'Act on the element ref of the open page; secret types a stored one.',
	title: ({ act, ref, text: given, secret }) =>
		text('Browser: {act} {what}', { act, what: [ref, secret ?? given].filter(Boolean).join(' ') }),
});
