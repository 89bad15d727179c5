/** Ten stories of a first hour with the chat, each up to the moment at which a person reads and decides. */
import type { ScriptEntry } from '../../../support/model-server.ts';
import type { Chat } from '../../harness/chat.ts';

/** The chat in one of its places, and what its model answers. */
interface Seat {
	readonly chat: Chat;
	follow(script: readonly ScriptEntry[]): void;
}

/** Looks at the chat as it is now; `part` names the moment where a story has more than one. */
type Look = (part?: string) => Promise<void>;

const call = (name: string, input: unknown) => ({ toolCalls: [{ name, input }] });
const run = (...argv: readonly string[]) => call('shell_run', { argv });
const write = (path: string) => ({ name: 'fs_write', input: { path, content: `${path}\nwith a second line\n` } });
const THEN_NOT = { text: 'Then not.' };
const PLAN = `# Add discounts to the cart

1. Read \`src/cart.ts\` and its tests.
2. Add \`discountFor(items)\` with a spec for each limit.
3. Run \`npm test\` and say what failed.`;

/** Sends the message, which the model answers so. */
async function begin({ chat, follow }: Seat, text: string, script: readonly ScriptEntry[]): Promise<void> {
	follow(script);
	await chat.ask(text);
}

/** Says no to what waits, and waits for the end of the turn. */
async function deny({ chat }: Seat): Promise<void> {
	await chat.input.focus();
	await chat.input.press('Escape');
	await chat.answers.getByText(THEN_NOT.text).waitFor();
}

export const stories = {
	async 'opens the chat'({ chat }, look) {
		await chat.view.getByRole('button', { name: 'Run the tests and fix what fails' }).waitFor();
		await look();
	},
	async 'lets a command run'(seat, look) {
		await begin(seat, 'Do the tests pass?', [run('npm', 'test'), THEN_NOT]);
		await seat.chat.asked('Run npm test');
		await look();
		await deny(seat);
	},
	async 'takes changes back'(seat, look) {
		const { chat } = seat;
		await begin(seat, 'Write down what is left to do', [
			{ toolCalls: [write('notes/what-is-left.md')] },
			{ text: 'It is in `notes/what-is-left.md`, with one line for each open point.' },
		]);
		await chat.asked('Write notes/what-is-left.md');
		await look('asked');
		await chat.press('Write notes/what-is-left.md', '1');
		await chat.rested();
		await chat.view.getByRole('button', { name: 'Undo all' }).click();
		await chat.view.locator('.confirm').waitFor();
		await look();
		await chat.view.locator('.confirm').getByRole('button', { name: 'Undo all' }).click();
	},
	async 'answers several at once'(seat, look) {
		await begin(seat, 'Set it up', [
			{
				toolCalls: [
					write('.env'),
					write('docs/set-up.md'),
					{ name: 'shell_run', input: { argv: ['npm', 'run', 'lint'] } },
				],
			},
			THEN_NOT,
		]);
		await seat.chat.view.getByRole('heading', { name: '3 actions wait for your answer' }).waitFor();
		await seat.chat.view.locator('.dock[data-settled=true]').waitFor();
		await look();
		await deny(seat);
	},
	async 'stops a dangerous command'(seat, look) {
		await begin(seat, 'Clean up', [run('rm', '-rf', 'src', '../other'), THEN_NOT]);
		await seat.chat.asked('Run rm -rf src ../other');
		await look();
		await deny(seat);
	},
	async 'reads a plan'(seat, look) {
		await seat.chat.chooseMode('Plan');
		await begin(seat, 'Plan discounts for the cart', [call('plan_write', { plan: PLAN }), THEN_NOT]);
		await seat.chat.asked('Plan: Add discounts to the cart');
		await look();
		await deny(seat);
	},
	async 'is asked something'(seat, look) {
		const options = ['By the number of items', 'By the total', 'Both, whichever is better for the customer'];
		await begin(seat, 'Add a discount', [
			call('user_ask', { question: 'What shall the discount depend on?', options }),
			{ text: 'By the total, then.' },
		]);
		const answer = seat.chat.view.locator('.dock[data-settled=true]').getByRole('button', { name: 'By the total' });
		await answer.waitFor();
		await look();
		await answer.click();
		await seat.chat.rested();
	},
	async 'meets a wrong key'(seat, look) {
		await begin(seat, 'What does this project do?', [{ error: 401, message: 'invalid api key' }]);
		await seat.chat.notices.last().getByRole('button').first().waitFor();
		await look();
	},
	async 'goes back'(seat, look) {
		const { chat } = seat;
		await begin(seat, 'Which file has the tests?', [{ text: 'They are in `test/cart.test.ts`.' }]);
		await chat.rested();
		seat.follow([{ text: 'It exports `total` and `quantityDiscount`.' }]);
		await chat.ask('And what does src/cart.ts export?');
		await chat.rested();
		const message = chat.view.locator('.item.user').last();
		await message.hover();
		await message.getByRole('button', { name: 'Go back to before this message' }).click();
		await chat.view.getByRole('region', { name: 'Go back' }).getByText('1 message leaves').waitFor();
		await look();
		await chat.view.getByRole('region', { name: 'Go back' }).getByRole('button', { name: 'Cancel' }).click();
	},
	async 'has a capability run'(seat, look) {
		await begin(seat, 'Which TODOs are there?', [
			call('capability_start', { name: 'skill/todo-report', wait: true }),
			{ text: 'There is one TODO, in `src/cart.ts`.' },
		]);
		await seat.chat.answers.getByText('There is one TODO').waitFor();
		await seat.chat.rested();
		await look();
	},
} as const satisfies Readonly<Record<string, (seat: Seat, look: Look) => Promise<void>>>;

export type Story = keyof typeof stories;
