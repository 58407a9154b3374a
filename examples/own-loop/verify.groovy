// Three lines, and each network has learnt to tell the spirals apart: guessing is wrong in 50 %.
def errors = (new File(basedir, 'build.log').text =~ /(?m)(standard|SAM|penalty) +loss [0-9.]+ +test error ([0-9.]+) %/).collect { it[2] as double }
assert errors.size() == 3
errors.each { assert it < 20 }
true
