// The jar is used from a recipe, after a stop nobody needs to know of, and in a study, by the launcher as a user would.
def polder(String... arguments) {
    def command = [polderHome + '/polder', '--plugins', new File(basedir, 'target/plug-in-1.0.jar').path] + arguments.toList()
    def process = new ProcessBuilder(command).directory(basedir).redirectErrorStream(true).start()
    def output = process.inputStream.getText('UTF-8')
    println output
    assert process.waitFor() == 0 : output
    return output
}

assert polder('train', 'recipe.yaml', '--threads', '1', '--out', 'run').contains('test error ')
assert new File(basedir, 'run/metrics.jsonl').text.contains('"share":0.6')
assert new File(basedir, 'run/checkpoints').listFiles().any { new File(it, 'scheme.safetensors').exists() }
def table = polder('study', 'study.yaml', '--out', 'study')
assert table.contains('Standard') && table.contains('scheme')
assert polder('models').contains('one-convolution')
true
