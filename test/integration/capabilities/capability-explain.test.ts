/** `prowess capability explain`: which capabilities the model is told of with a prompt, and why not the others. */
import assert from 'node:assert/strict';
import type { CapabilityOffer } from '../../../src/protocol/offer/capability-offer.ts';
import { startModelServer } from '../../support/model-server.ts';
import { commandLimitMs, User } from '../cli/cli-process.ts';

describe('prowess capability explain', function () {
	this.timeout(commandLimitMs);

	const about = 'Use this skill whenever the user wants to do anything with files of one kind. '.repeat(12).trim();
	function userWith(count: number): User {
		const user = new User();
		for (let n = 0; n < count; n += 1) {
			user.writes(`.claude/skills/kind-${n}/SKILL.md`, `---\nname: kind-${n}\ndescription: ${about} ${n}\n---\nDo it.`);
		}
		user.writes(
			'.claude/skills/forms/SKILL.md',
			`---\nname: forms\ndescription: Fills in the fields of PDF forms. ${about}\nrequired-skills: fonts\n---\nDo it.`,
		);
		user.writes('.claude/skills/fonts/SKILL.md', '---\nname: fonts\ndescription: d\n---\nDo it.');
		user.writes(
			'.claude/skills/lost/SKILL.md',
			'---\nname: lost\ndescription: Fills in a form\nrequired-skills: nobody\n---\nDo it.',
		);
		user.writes(
			'.claude/skills/release/SKILL.md',
			'---\nname: release\ndescription: d\ndisable-model-invocation: true\n---\nDo it.',
		);
		return user;
	}

	it('wants a prompt, and says where the folder is not trusted', async () => {
		const user = userWith(1);
		assert.equal((await user.runs(['capability', 'explain'])).code, 2);
		const { code, stdout, stderr } = await user.runs(['capability', 'explain', 'Fill in a form']);
		assert.equal(code, 0, stderr);
		assert.match(stderr, /is not trusted, so it was not read/);
		assert.doesNotMatch(stdout, /skill\/forms/);
	});

	it('says of each what it takes and why it is told, and of the others why they are not', async () => {
		const user = userWith(120);
		const words = ['capability', 'explain', 'Please fill in this form: order.pdf', '--trust'];
		const { code, stdout, stderr } = await user.runs(words);
		assert.equal(code, 0, stderr);
		const [head = '', ...lines] = stdout.trimEnd().split('\n');
		assert.match(
			head,
			/^The model is told of \d+ of \d+ capabilities, in \d+ of \d+ tokens\.(?: No other choice is worth over (?:0\.\d|1) % more; the search was cut off\.)?$/,
		);
		const line = (name: string) => lines.find((each) => each.includes(name)) ?? '';
		assert.match(
			line('skill/forms '),
			/^whole +skill\/forms +\d+ tokens {2}of the workspace; the prompt says [^;]*form/,
		);
		// Fillers are in all descriptions, and in the prompt.
		assert.doesNotMatch(stdout, /the prompt says [^;\n]*\b(?:in|this|please)\b/);
		assert.match(line('skill/fonts '), /^whole .* {2}of the workspace; needed by skill\/forms$/);
		assert.match(stdout, /\nleft out +skill\/lost .*; it needs nobody, which is not there\n/);
		assert.match(stdout, /\nits beginning +skill\/kind-\d+ +\d+ tokens {2}of the workspace/);
		assert.match(stdout, /\nleft out +skill\/kind-\d+ +\d+ tokens {2}[^\n]*; others are worth more for their tokens\n/);
		assert.match(lines.at(-1) ?? '', /^and \d+ more that are left out; --json lists all$/);
		assert.doesNotMatch(stdout, /release/);
	});

	it('tells of the same ones, for the same reasons, whatever fillers stand around the words that are wanted', async () => {
		const user = userWith(120);
		// With fillers counted, this one would be told before the others, since there is not room for all.
		user.writes(
			'.claude/skills/zeal/SKILL.md',
			`---\nname: zeal\ndescription: Can you do this for me in all of it, as the user would want to. ${about}\n---\nDo it.`,
		);
		const explained = async (prompt: string) => {
			const { stdout } = await user.runs(['capability', 'explain', prompt, '--json', '--trust']);
			return JSON.parse(stdout) as CapabilityOffer;
		};
		const plain = await explained('PDF forms: order.pdf');
		assert.ok(plain.capabilities.some(({ told }) => told === 'left'));
		const why = ({ capabilities }: CapabilityOffer) => capabilities.map(({ name, told, words }) => [name, told, words]);
		for (const prompt of [
			'Can you please do all of this for me in the PDF forms: order.pdf',
			'Kannst du das bitte für mich in den PDF forms machen: order.pdf',
		]) {
			assert.deepEqual(why(await explained(prompt)), why(plain), prompt);
		}
	});

	it('counts what was used in this project, and in no other', async () => {
		const user = userWith(120);
		const model = await startModelServer([
			{ toolCalls: [{ name: 'capability_start', input: { name: 'kind-77' } }] },
			{ text: 'Done.' },
		]);
		const prompted = await user.prompts(model.baseUrl, 'Do it', ['--approve', 'auto']).ended;
		assert.equal(prompted.code, 0, prompted.stderr);
		await model.close();
		const explained = async (...words: string[]) =>
			(await user.runs(['capability', 'explain', 'Hello', '--trust', ...words])).stdout;
		const today = new Date().toISOString().slice(0, 10);
		const line = new RegExp(
			`^(?:whole|its beginning) +skill/kind-77 +\\d+ tokens {2}of the workspace; used here once, on ${today}$`,
			'm',
		);
		assert.match(await explained(), line);
		const { capabilities } = JSON.parse(await explained('--json')) as CapabilityOffer;
		assert.deepEqual(
			capabilities.filter(({ used }) => used !== undefined).map(({ name, used }) => [name, used?.count]),
			[['kind-77', 1]],
		);
		const elsewhere = new User();
		assert.doesNotMatch(
			(
				await elsewhere.runs(['capability', 'explain', 'Hello', '--trust', '--json'], {
					env: { PROWESS_HOME: user.home },
				})
			).stdout,
			/"used"/,
		);
	});

	it('says what the model is then told indeed', async () => {
		const user = userWith(120);
		const prompt = 'Use /kind-77 on this';
		const server = await startModelServer([{ text: 'Seen.' }]);
		const asked = await user.prompts(server.baseUrl, prompt).ended;
		assert.equal(asked.code, 0, asked.stderr);
		await server.close();
		const { stdout } = await user.runs(['capability', 'explain', prompt, '--json', '--trust']);
		const offer = JSON.parse(stdout) as CapabilityOffer;
		assert.ok(offer.tokens <= offer.room);
		assert.deepEqual(
			offer.capabilities.filter(({ isNamed }) => isNamed).map(({ name, told }) => [name, told]),
			[['kind-77', 'whole']],
		);
		const messages = (server.requests[0]?.body['messages'] ?? []) as { content: string }[];
		const [, sent = ''] = /<capabilities[^>]*>\n([\s\S]*)\n<\/capabilities>/.exec(messages.at(-1)?.content ?? '') ?? [];
		assert.deepEqual(
			offer.capabilities.filter(({ told }) => told !== 'left').map(({ type, name }) => `${type}/${name}`),
			sent.split('\n').flatMap((row) => /^[a-z]+\/[\w-]+/.exec(row) ?? []),
		);
	});
});
