/** Words that a shell has instead of a program. */

/** Names without a program; `echo`, `test` and others that exist as one, too, are not among them. */
const SHELL_BUILTINS = new Set(
	(
		'cd,export,source,.,set,unset,alias,unalias,eval,exec,ulimit,umask,wait,type,command,builtin,trap,shift,return,exit,:,read,' +
		'readonly,jobs,fg,bg,disown,suspend,pushd,popd,dirs,shopt,enable,declare,typeset,local,let,getopts,hash,history,fc,help,logout,' +
		'bind,caller,compgen,complete,compopt,mapfile,readarray,times,break,continue,' +
		'[[,]],case,coproc,do,done,elif,else,esac,fi,for,function,if,in,select,then,time,until,while,!,{,},('
	).split(','),
);

/** Returns true when only a shell knows the word, where a program is expected. */
export function isForShell(program: string): boolean {
	return SHELL_BUILTINS.has(program);
}
