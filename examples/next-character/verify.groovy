// Three lines, and each network guesses more characters than who always says " ", which is wrong in more than 80 %.
def errors = (new File(basedir, 'build.log').text =~ /(?m)(standard|SAM|penalty) +training loss [0-9.]+ +test error ([0-9.]+) %/).collect { it[2] as double }
assert errors.size() == 3
errors.each { assert it < 75 }
true
