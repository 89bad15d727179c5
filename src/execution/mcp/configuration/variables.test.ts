import assert from 'node:assert/strict';
import { ProwessError } from '../../../protocol/errors/errors.ts';
import { resolveValues, listSecretNames } from './variables.ts';

const secrets = {
	read: (name: string) =>
		name.startsWith('none')
			? Promise.reject(new ProwessError('SECRET_NOT_FOUND', `there is no secret "${name}"`))
			: Promise.resolve(`<${name}>`),
};
const resolve = (value: string) =>
	resolveValues('github', { V: value }, { secrets, environment: { HOME: '/home/me' } }).then(({ V }) => V);

describe('A value of an MCP server', () => {
	it('that wants a secret which is not there, or a variable that programs do not get, is refused in words', async () => {
		await assert.rejects(resolve('Bearer ${secret:none}'), {
			code: 'SECRET_NOT_FOUND',
			message:
				'the MCP server github wants the secret "none" for V, and none is stored under that name. Ask the user to store it',
		});
		await assert.rejects(
			resolve('${GITHUB_TOKEN}'),
			/wants the variable GITHUB_TOKEN, .* write \$\{secret:GITHUB_TOKEN\}/,
		);
	});

	it('takes secrets, inputs of VS Code, and variables with what stands in for them', async () => {
		assert.equal(await resolve('Bearer ${secret:gh}!'), 'Bearer <gh>!');
		assert.equal(await resolve('${input:token}'), '<mcp.github.token>');
		assert.equal(await resolve('${env:HOME}/${HOME}/${NONE:-there}'), '/home/me//home/me/there');
	});

	it('is not read again: what a secret holds stays as it is', async () => {
		const tricky = { read: () => Promise.resolve('${secret:other}') };
		const { V } = await resolveValues('s', { V: '${secret:a}' }, { secrets: tricky, environment: {} });
		assert.equal(V, '${secret:other}');
	});

	it('says which secrets it wants, before any is read', () => {
		assert.deepEqual(listSecretNames('github', ['a${secret:x}${secret:y}', '${input:z} ${HOME}', '${secret:x}']), [
			'x',
			'y',
			'mcp.github.z',
		]);
	});
});
